/** Counts the open conversations of a member in all bots of the workspace. */
import { useQuery } from '@tanstack/react-query';
import { currentSession } from '../session/session.ts';
import { useAdminClient, useWorkspaceId } from './clients.ts';
import { parley } from './parley.ts';

const MAX_BOTS = 20;
const MAX_PER_BOT = 100;
const AT_ONCE = 5;

export interface OpenConversations {
  count: number;
  /** True if there may be more: in further bots, or beyond the first page of a bot. */
  isMinimum: boolean;
}

/** Sends at most 21 requests. */
export function useOpenConversations(accountId: string | undefined, isEnabled: boolean) {
  const client = useAdminClient();
  const workspaceId = useWorkspaceId();
  return useQuery({
    queryKey: ['openConversations', workspaceId, accountId],
    queryFn: async (): Promise<OpenConversations> => {
      const { bots, meta } = await client.listBots({});
      const known = bots.slice(0, MAX_BOTS);
      let count = 0;
      let isMinimum = bots.length > MAX_BOTS || meta.nextToken !== undefined;
      for (let start = 0; start < known.length; start += AT_ONCE) {
        const pages = await Promise.all(
          known.slice(start, start + AT_ONCE).map(({ id: botId }) =>
            parley({ token: currentSession()?.token ?? '', workspaceId, botId }).listHandoffs({
              accountId: accountId!,
              status: 'served',
              pageSize: MAX_PER_BOT,
            }),
          ),
        );
        for (const page of pages) {
          count += page.handoffs.length;
          if (page.meta.nextToken !== undefined) isMinimum = true;
        }
      }
      return { count, isMinimum };
    },
    enabled: isEnabled && accountId !== undefined,
    staleTime: 0,
  });
}
