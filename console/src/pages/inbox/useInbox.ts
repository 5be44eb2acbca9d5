/** Queries of the inbox. Lists are read with the version of their page, so that an unchanged page renders nothing. */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useParley } from '../../api/clients.ts';
import type { HandoffFilters, HandoffRow } from '../../api/contract.ts';
import { useLive } from '../../api/live/useLive.ts';
import { type List, useList } from '../../api/useList.ts';

/** Number of handoffs per page. */
const PAGE = 25;

interface VersionedPage {
  items: HandoffRow[];
  nextToken: string | undefined;
  version: string;
}

/** Continues in the background, because the page's title shows the number of waiting conversations. */
export function useCounts(botId: string) {
  const parley = useParley(botId);
  return useQuery({
    queryKey: ['handoffs', botId, 'counts'],
    queryFn: async () => (await parley.countHandoffs()).counts,
    ...useLive(botId),
    refetchIntervalInBackground: true,
  });
}

export function useHandoffs(botId: string, filters: HandoffFilters, isEnabled = true): List<HandoffRow> {
  const parley = useParley(botId);
  const queries = useQueryClient();
  const key = ['handoffs', botId, 'list', filters];
  return useList<HandoffRow>(
    key,
    async nextToken => {
      const known = queries.getQueryData<{ pages: VersionedPage[]; pageParams: unknown[] }>(key);
      const before = known?.pages[known.pageParams.indexOf(nextToken)];
      const page = { preview: true, pageSize: PAGE, nextToken, version: before?.version };
      const answer = await parley.listHandoffs({ ...filters, ...page });
      if (before && answer.meta.isUnchanged) return before;
      const { nextToken: next, version } = answer.meta;
      return { items: answer.handoffs, nextToken: next, version };
    },
    { live: useLive(botId, isEnabled) },
  );
}

/** Returns the handoffs of a conversation, newest first. The first may be open. */
export const useHandoffsOf = (botId: string, conversationId: string): List<HandoffRow> =>
  useHandoffs(botId, { conversationId });
