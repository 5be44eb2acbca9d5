/** Views of the inbox: filters, orders, and which handoffs belong to them. */
import type { HandoffCounts, InboxFilters, InboxRow } from '../../api/contract.ts';

export const VIEWS = ['waiting', 'mine', 'unread', 'open', 'closed', 'all'] as const;
export type View = (typeof VIEWS)[number];

export const viewOf = (value: unknown): View => VIEWS.find(view => view === value) ?? 'waiting';

/** Oldest or newest first, by the time that the view sorts by: see {@link sortTimeOf}. */
export const DIRECTIONS = ['asc', 'desc'] as const;
export type Direction = (typeof DIRECTIONS)[number];

/** Those who wait longest are first. A member continues with the customer who wrote last. */
export const defaultDirection = (view: View): Direction => (view === 'waiting' || view === 'unread' ? 'asc' : 'desc');

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

export function filtersOf(view: View, accountId: string): InboxFilters {
  switch (view) {
    case 'waiting':
    case 'closed':
      return { status: [view] };
    case 'mine':
      return { accountId };
    case 'unread':
      return { accountId, isUnread: true };
    case 'open':
      return { status: ['waiting', 'served'] };
    case 'all':
      return {};
  }
}

/** Returns true if the API lists the handoff in this view. */
export function belongsTo(view: View, { status, member, isUnread }: InboxRow, accountId: string): boolean {
  const isMine = status === 'served' && member?.id === accountId;
  switch (view) {
    case 'waiting':
    case 'closed':
      return status === view;
    case 'mine':
      return isMine;
    case 'unread':
      return isMine && isUnread;
    case 'open':
      return status !== 'closed';
    case 'all':
      return true;
  }
}

/** Returns the time by which the API sorts a view. */
export function sortTimeOf(view: View, { status, startedAt, updatedAt, lastUserMessageAt = '' }: InboxRow): string {
  if (view === 'mine' || view === 'unread') return lastUserMessageAt > updatedAt ? lastUserMessageAt : updatedAt;
  return status === 'waiting' && view !== 'all' ? startedAt : updatedAt;
}
