import { useQuery } from '@tanstack/react-query';
import { useAdminClient, useWorkspaceId } from './clients.ts';

/** Returns the caller's membership of the workspace, with the role. */
export function useMember() {
  const client = useAdminClient();
  const workspaceId = useWorkspaceId();
  return useQuery({
    queryKey: ['me', workspaceId],
    queryFn: () => client.getWorkspaceMember({}),
    enabled: workspaceId !== '',
  });
}
