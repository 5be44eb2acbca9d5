import type { InfiniteData, QueryClient } from '@tanstack/react-query';
import type { Handoff } from '../../api/contract.ts';
import { type Listing, type RowsPage, withChanges } from './inboxRows.ts';

type Data = InfiniteData<RowsPage, string | undefined>;

/** Shows the member's own change of a handoff in the loaded lists. Its notice, a second later, reads the row again. */
export function showChange(queries: QueryClient, workspaceId: string, handoff: Handoff): void {
  const lists = queries.getQueriesData<Data>({ queryKey: ['inbox', workspaceId, 'list'] });
  const rows = lists.flatMap(([, data]) => data?.pages.flatMap(({ items }) => items) ?? []);
  const row = rows.find(({ id }) => id === handoff.id);
  if (!row) return;
  const changed = [{ ...row, ...handoff }];
  for (const [queryKey] of lists) {
    const listing = queryKey[3] as Listing;
    queries.setQueryData<Data>(
      queryKey,
      data => data && { ...data, pages: withChanges(data.pages, [row.conversationId], changed, listing) },
    );
  }
}
