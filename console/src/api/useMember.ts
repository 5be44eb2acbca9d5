import { useQuery } from '@tanstack/react-query';
import { useAdminClient, useWorkspaceId } from './clients.ts';

/** The caller as a member of the workspace, with their role. */
export function useMember() {
  const client = useAdminClient();
  const workspaceId = useWorkspaceId();
  return useQuery({
    queryKey: ['me', workspaceId],
    queryFn: () => client.getWorkspaceMember({}),
    enabled: workspaceId !== '',
  });
}
