import type { Client } from '@botpress/client';
import { useQuery } from '@tanstack/react-query';
import { useAdminClient, useWorkspaceId } from './clients.ts';

/** Adds the role `agent`, which the client's type lacks. */
export type Role = Awaited<ReturnType<Client['getWorkspaceMember']>>['role'] | 'agent';

/** Returns the caller's membership of the workspace, with the role. */
export function useMember() {
  const client = useAdminClient();
  const workspaceId = useWorkspaceId();
  return useQuery({
    queryKey: ['me', workspaceId],
    queryFn: async () => {
      const member = await client.getWorkspaceMember({});
      return { ...member, role: member.role as Role };
    },
    enabled: workspaceId !== '',
    staleTime: 60_000,
  });
}
