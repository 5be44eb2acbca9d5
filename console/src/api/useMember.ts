import type { Client } from '@botpress/client';
import { type QueryClient, useQuery } from '@tanstack/react-query';
import { useAdminClient, useWorkspaceId } from './clients.ts';
import { isForbidden } from './explain.ts';

/** Adds the role `agent`, which the client's type lacks. */
export type Role = Awaited<ReturnType<Client['getWorkspaceMember']>>['role'] | 'agent';

/** Reads the caller's role again after a 403 response, so that the pages offer only what it allows. */
export function checkRole(queries: QueryClient, error: unknown): void {
  if (isForbidden(error)) void queries.invalidateQueries({ queryKey: ['me'] });
}

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
