import { useQuery } from '@tanstack/react-query';
import { useParley, useWorkspaceId } from './clients.ts';
import { countsKey, useWorkspaceLive } from './live/useLive.ts';
import { useMember } from './useMember.ts';

/**
 * Counts the conversations of the inbox, in all bots by default. Continues in the background, because the title of the
 * page shows the number of waiting conversations.
 */
export function useInboxCounts(botIds: readonly string[] = []) {
  const workspaceId = useWorkspaceId();
  const parley = useParley();
  const { data: member } = useMember();
  return useQuery({
    queryKey: countsKey(workspaceId, botIds),
    queryFn: () => parley.countInboxHandoffs(botIds),
    ...useWorkspaceLive(member?.role !== 'billing'),
    refetchIntervalInBackground: true,
  });
}
