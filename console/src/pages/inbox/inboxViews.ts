/** Views of the inbox: each shows handoffs by a filter, and `all` shows every conversation. */
import type { Handoff, HandoffCounts, HandoffFilters } from '../../api/contract.ts';

export const VIEWS = ['waiting', 'mine', 'unread', 'open', 'closed', 'all'] as const;
export type View = (typeof VIEWS)[number];

export const viewOf = (value: unknown): View => VIEWS.find(view => view === value) ?? 'waiting';

/** Maximum count that the API returns. */
const MOST_COUNTED = 100;

/** Formats a count. Counts at the API's maximum are shown as `99+`. */
export const shownCount = (count: number): string => (count >= MOST_COUNTED ? `${MOST_COUNTED - 1}+` : String(count));

/** Returns the number of handoffs in a view, if the API counts them. */
export function countOf(view: View, counts: HandoffCounts | undefined): number | undefined {
  if (!counts) return undefined;
  if (view === 'open') return counts.waiting + counts.served;
  return view === 'waiting' || view === 'mine' || view === 'unread' ? counts[view] : undefined;
}

/** Returns the lists of a view, each of which is one query. */
export function filtersOf(view: View, accountId: string): HandoffFilters[] {
  switch (view) {
    case 'waiting':
    case 'closed':
      return [{ status: view }];
    case 'mine':
      return [{ accountId }];
    case 'unread':
      return [{ accountId, isUnread: true }];
    case 'open':
      return [{ status: 'waiting' }, { status: 'served' }];
    case 'all':
      return [];
  }
}

interface LoadedPart {
  items: readonly Handoff[];
  hasMore: boolean;
}

/**
 * Merges lists that are sorted by their last change, newest first. Handoffs older than the end of a list that has
 * more are left out, because those in between are not loaded yet.
 */
export function mergeNewest(lists: readonly LoadedPart[]): Handoff[] {
  const ends = lists.filter(({ hasMore }) => hasMore).map(({ items }) => items.at(-1)?.updatedAt ?? '');
  const end = ends.sort().at(-1) ?? '';
  const byConversation = new Map<string, Handoff>();
  const all = lists.flatMap(({ items }) => items).filter(({ updatedAt }) => updatedAt >= end);
  // A handoff that moves between lists may briefly be in both.
  for (const handoff of all.sort((a, b) => b.updatedAt.localeCompare(a.updatedAt)))
    if (!byConversation.has(handoff.conversationId)) byConversation.set(handoff.conversationId, handoff);
  return [...byConversation.values()];
}
