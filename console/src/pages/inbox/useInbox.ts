/** Queries of the inbox. Lists are polled with the version of their page, which costs the API little. */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useBotClient, useParley } from '../../api/clients.ts';
import type { Handoff, HandoffFilters } from '../../api/contract.ts';
import { LIVE_MS } from '../../api/live.ts';
import { type List, useList } from '../../api/useList.ts';
import { versionOf } from '../conversations/useConversations.ts';
import { useTeam } from './useTeam.ts';

const COUNT_MS = 2 * LIVE_MS;
/** Number of handoffs per page. */
const PAGE = 25;

interface VersionedPage {
  items: Handoff[];
  nextToken: string | undefined;
  version: string;
}

/** Continues in the background, because the page's title shows the number of waiting conversations. */
export function useCounts(botId: string) {
  const parley = useParley(botId);
  return useQuery({
    queryKey: ['handoffs', botId, 'counts'],
    queryFn: async () => (await parley.countHandoffs()).counts,
    refetchInterval: COUNT_MS,
    refetchIntervalInBackground: true,
  });
}

export function useHandoffs(botId: string, filters: HandoffFilters, isEnabled = true): List<Handoff> {
  const parley = useParley(botId);
  const queries = useQueryClient();
  const key = ['handoffs', botId, 'list', filters];
  return useList<Handoff>(
    key,
    async nextToken => {
      const known = queries.getQueryData<{ pages: VersionedPage[]; pageParams: unknown[] }>(key);
      const before = known?.pages[known.pageParams.indexOf(nextToken)];
      const answer = await parley.listHandoffs({ ...filters, pageSize: PAGE, nextToken, version: before?.version });
      if (before && answer.meta.isUnchanged) return before;
      const { nextToken: next, version } = answer.meta;
      return { items: answer.handoffs, nextToken: next, version };
    },
    { everyMs: LIVE_MS, isEnabled },
  );
}

/** Returns the handoffs of a conversation, newest first. The first may be open. */
export const useHandoffsOf = (botId: string, conversationId: string): List<Handoff> =>
  useHandoffs(botId, { conversationId });

/**
 * Returns the caller's unread handoffs. Only this list changes with each message. Other lists change only with the
 * handoff.
 */
export function useUnread(botId: string): ReadonlySet<string> {
  const { ownId } = useTeam();
  const { items } = useHandoffs(botId, { accountId: ownId, isUnread: true }, ownId !== '');
  return new Set(items.map(({ id }) => id));
}

interface Activity {
  /** Time of the latest activity. */
  at: string;
  /** Changes with each new and each deleted message. */
  version: string;
}

/** The latest activity of each conversation that was active since the console was opened. */
const activity = new Map<string, Activity>();

/** Returns the latest change of recently active conversations. */
export function useActivity(botId: string): (conversationId: string) => Activity | undefined {
  const client = useBotClient(botId);
  useQuery({
    queryKey: ['activity', botId],
    queryFn: async () => {
      const { conversations } = await client.listConversations({ sortField: 'updatedAt', sortDirection: 'desc' });
      for (const each of conversations) activity.set(each.id, { at: each.updatedAt, version: versionOf(each) });
      return conversations.map(each => `${each.id} ${versionOf(each)}`);
    },
    refetchInterval: LIVE_MS,
  });
  return conversationId => activity.get(conversationId);
}
