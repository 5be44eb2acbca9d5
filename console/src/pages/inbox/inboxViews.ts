/** Views of the inbox: filters, orders, and which handoffs belong to them. */
import type { HandoffCounts, InboxFilters, InboxRow } from '../../api/contract.ts';
import type { Direction, View } from '../../navigation/inboxAddress.ts';

/**
 * Those who wait longest are first, and snoozed conversations that return soonest. A member continues with the customer
 * who wrote last.
 */
export const defaultDirection = (view: View): Direction =>
  view === 'waiting' || view === 'unread' || view === 'snoozed' ? 'asc' : 'desc';

/** Returns the number of handoffs in a view, if the API counts them. */
export function countOf(view: View, counts: HandoffCounts | undefined): number | undefined {
  if (!counts) return undefined;
  if (view === 'open') return counts.waiting + counts.served;
  return view === 'closed' || view === 'all' ? undefined : counts[view];
}

export function filtersOf(view: View, accountId: string): InboxFilters {
  switch (view) {
    case 'waiting':
    case 'snoozed':
    case 'closed':
      return { status: [view] };
    case 'mine':
      return { accountId };
    case 'unread':
      return { accountId, isUnread: true };
    case 'open':
      return { status: ['waiting', 'served'] };
    // Mentions have a list of their own.
    case 'mentions':
    case 'all':
      return {};
  }
}

/** Returns true if the API lists the handoff in this view. */
export function belongsTo(view: View, row: InboxRow, accountId: string): boolean {
  const { member, isUnread, snoozedUntil } = row;
  const status = snoozedUntil === undefined ? row.status : 'snoozed';
  const isMine = status === 'served' && member?.id === accountId;
  switch (view) {
    case 'waiting':
    case 'snoozed':
    case 'closed':
      return status === view;
    case 'mine':
      return isMine;
    case 'unread':
      return isMine && isUnread;
    case 'open':
      return status === 'waiting' || status === 'served';
    case 'mentions':
      return false;
    case 'all':
      return true;
  }
}

/** Returns the time by which the API sorts a view. */
export function sortTimeOf(view: View, row: InboxRow): string {
  const { status, startedAt, snoozedUntil = '', updatedAt, lastUserMessageAt = '' } = row;
  if (view === 'snoozed') return snoozedUntil;
  if ((view === 'mine' || view === 'unread') && lastUserMessageAt > updatedAt) return lastUserMessageAt;
  return status === 'waiting' && view !== 'all' ? startedAt : updatedAt;
}

/** First to last in the queue. */
export const PRIORITIES = ['urgent', 'high', 'normal', 'low'] as const satisfies readonly InboxRow['priority'][];

/** Returns the place of a row's priority, which sorts the queue before the time, in both directions. */
export function rankOf(view: View, { status, priority }: InboxRow): number {
  const isInQueue = status === 'waiting' && (view === 'waiting' || view === 'open');
  return PRIORITIES.indexOf(isInQueue ? priority : 'normal');
}
