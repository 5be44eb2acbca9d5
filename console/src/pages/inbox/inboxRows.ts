/** Applies changed handoffs to the loaded part of a list, so that a change costs no page. */

import type { InboxRow } from '../../api/contract.ts';
import type { Direction, View } from '../../navigation/inboxAddress.ts';
import { belongsTo, rankOf, sortTimeOf } from './inboxViews.ts';

export interface RowsPage {
  items: InboxRow[];
  nextToken: string | undefined;
}

/** Parameters of an inbox list, which are part of its query key. */
export interface Listing {
  view: View;
  direction: Direction;
  ownId: string;
  /** Empty for all bots. */
  botIds: readonly string[];
  /** Label of the conversations. */
  labelId?: string | undefined;
}

/**
 * Replaces the rows of the conversations.
 * @param changed the current handoffs of the conversations; conversations without one leave the list
 * @returns the pages with the same tokens; a row behind the last loaded one is left to the next page
 */
export function withChanges(
  pages: readonly RowsPage[],
  conversationIds: readonly string[],
  changed: readonly InboxRow[],
  listing: Listing,
): RowsPage[] {
  const { view, direction, ownId, botIds, labelId } = listing;
  const named = new Set(conversationIds);
  const former = new Map(pages.flatMap(({ items }) => items).map(row => [row.id, row]));
  const remaining = pages.map(page => ({ ...page, items: page.items.filter(row => !named.has(row.conversationId)) }));
  const isListed = (row: InboxRow) =>
    belongsTo(view, row, ownId) &&
    (botIds.length === 0 || botIds.includes(row.botId)) &&
    (labelId === undefined || row.preview?.labelIds?.includes(labelId) === true);
  for (const row of changed.filter(isListed)) {
    // The list of unread conversations is sorted by the first unread message, which a row does not contain.
    const place = view === 'unread' ? (former.get(row.id) ?? row) : row;
    insert(remaining, row, comparableOf(view, direction, place));
  }
  return remaining;

  function insert(into: RowsPage[], row: InboxRow, isBehind: (other: InboxRow) => boolean): void {
    for (const page of into) {
      const at = page.items.findIndex(isBehind);
      if (at !== -1) return void page.items.splice(at, 0, row);
    }
    const last = into.at(-1);
    if (last && last.nextToken === undefined) last.items.push(row);
  }
}

/** Returns whether another row is behind this one in the list. */
const comparableOf = (view: View, direction: Direction, row: InboxRow) => (other: InboxRow) => {
  const [rank, itsRank] = [rankOf(view, row), rankOf(view, other)];
  if (rank !== itsRank) return itsRank > rank;
  const [own, its] = [row, other].map(each => `${sortTimeOf(view, each)} ${each.id}`) as [string, string];
  return direction === 'asc' ? its > own : its < own;
};
