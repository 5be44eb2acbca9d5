/** Queries of the inbox. */

import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import { useParley, useWorkspaceId } from '../../api/clients.ts';
import type { InboxRow } from '../../api/contract.ts';
import { useWorkspaceLive } from '../../api/live/useLive.ts';
import { useLatestHandoffs } from '../../api/useLatestHandoffs.ts';
import { type List, listOf } from '../../api/useList.ts';
import { followInbox } from './followInbox.ts';
import type { Listing, RowsPage } from './inboxRows.ts';
import { filtersOf } from './inboxViews.ts';

/** Number of handoffs per page. */
const PAGE = 50;

/** Lists the handoffs of a view. A notice reads only the conversations that it names. */
export function useInboxRows({ view, direction, ownId, botIds, labelId }: Listing, isEnabled: boolean): List<InboxRow> {
  const workspaceId = useWorkspaceId();
  const parley = useParley();
  const queries = useQueryClient();
  const live = useWorkspaceLive(isEnabled);
  const read = useLatestHandoffs();
  const name = JSON.stringify([workspaceId, view, direction, ownId, botIds, labelId]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the name contains all that the list depends on
  const { queryKey, follow } = useMemo(() => {
    const listing = { view, direction, ownId, botIds, labelId };
    const key = ['inbox', workspaceId, 'list', listing] as const;
    return { queryKey: key, follow: followInbox({ queries, queryKey: key, botIds, read, listing }) };
  }, [name, read, queries]);
  const query = useInfiniteQuery({
    queryKey,
    queryFn: async ({ pageParam }): Promise<RowsPage> => {
      const page = { botIds, labelId, sortDirection: direction, pageSize: PAGE, nextToken: pageParam };
      const answer = await parley.listInboxHandoffs({ ...filtersOf(view, ownId), ...page });
      return { items: answer.handoffs, nextToken: answer.meta.nextToken };
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: page => page.nextToken,
    enabled: live.enabled,
    meta: { follow },
  });
  const { refetchInterval } = live;
  useEffect(() => {
    if (!isEnabled || !refetchInterval) return;
    const timer = setInterval(() => void follow.reload().catch(() => undefined), refetchInterval);
    return () => clearInterval(timer);
  }, [isEnabled, refetchInterval, follow]);
  const items = useMemo(() => latestOf(query.data?.pages.flatMap(page => page.items) ?? []), [query.data]);
  return {
    ...listOf(query, items),
    isLoading: query.isPending,
    // Pages load one after the other.
    loadMore: () => void query.fetchNextPage({ cancelRefetch: false }),
    reload: follow.reload,
  };
}

/** A conversation may have several closed handoffs. */
function latestOf(rows: readonly InboxRow[]): InboxRow[] {
  const seen = new Set<string>();
  return rows.filter(({ conversationId }) => !seen.has(conversationId) && seen.add(conversationId));
}
