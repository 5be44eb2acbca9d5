/** Changes of the loaded part of a list. */
import { expect, it } from 'vitest';
import type { InboxRow } from '#console/src/api/contract.ts';
import { type RowsPage, withChanges } from '#console/src/pages/inbox/inboxRows.ts';

const at = (second: number) => `2030-01-01T00:00:${String(second).padStart(2, '0')}.000Z`;
const waiting = (name: string, second: number): InboxRow => ({
  id: `handoff_${name}`,
  botId: 'bot',
  conversationId: name,
  status: 'waiting',
  startedAt: at(second),
  startedBy: { type: 'bot', id: 'b', name: 'Bot' },
  updatedAt: at(second),
  priority: 'normal',
  isUnread: false,
});
const mine = (name: string, second: number): InboxRow => ({
  ...waiting(name, 0),
  status: 'served',
  member: { id: 'me', name: 'Me', userId: 'user_me' },
  lastUserMessageAt: at(second),
});
const page = (items: InboxRow[], nextToken?: string): RowsPage => ({ items, nextToken });
const namesIn = (pages: RowsPage[]) => pages.map(({ items }) => items.map(row => row.conversationId));

const QUEUE = { view: 'waiting', direction: 'asc', ownId: 'me', botIds: [] } as const;
const MINE = { view: 'mine', direction: 'desc', ownId: 'me', botIds: [] } as const;

it('adds a conversation at its place', () => {
  const pages = [page([waiting('a', 1), waiting('c', 3)], 'token'), page([waiting('e', 5)])];

  expect(namesIn(withChanges(pages, ['b'], [waiting('b', 2)], QUEUE))).toEqual([['a', 'b', 'c'], ['e']]);
  expect(namesIn(withChanges(pages, ['d'], [waiting('d', 4)], QUEUE))).toEqual([
    ['a', 'c'],
    ['d', 'e'],
  ]);
});

it('adds a conversation at the end of a list that is loaded completely', () => {
  const pages = [page([waiting('a', 1)])];

  expect(namesIn(withChanges(pages, ['b'], [waiting('b', 2)], QUEUE))).toEqual([['a', 'b']]);
});

it('leaves a conversation behind the loaded ones to the next page', () => {
  const pages = [page([waiting('a', 1)], 'token')];

  expect(namesIn(withChanges(pages, ['b'], [waiting('b', 2)], QUEUE))).toEqual([['a']]);
});

it('removes a conversation that left the view, or that has no handoff any more', () => {
  const pages = [page([waiting('a', 1), waiting('b', 2), waiting('c', 3)])];

  expect(namesIn(withChanges(pages, ['a', 'c'], [mine('a', 9)], QUEUE))).toEqual([['b']]);
});

it('moves a conversation in which the customer wrote to the top of those of the member', () => {
  const pages = [page([mine('a', 9), mine('b', 5), mine('c', 1)])];

  expect(namesIn(withChanges(pages, ['c'], [mine('c', 20)], MINE))).toEqual([['c', 'a', 'b']]);
});

it('replaces the row of a conversation that keeps its place', () => {
  const changed = { ...waiting('b', 2), reason: 'Refund' };

  const [{ items }] = withChanges([page([waiting('a', 1), waiting('b', 2)])], ['b'], [changed], QUEUE) as [RowsPage];

  expect(items[1]).toBe(changed);
});

it('ignores bots that the list does not contain', () => {
  const pages = [page([waiting('a', 1)])];

  expect(namesIn(withChanges(pages, ['b'], [waiting('b', 2)], { ...QUEUE, botIds: ['other'] }))).toEqual([['a']]);
});

it('sorts the queue by priority before the time, in both directions', () => {
  const first = { ...waiting('b', 2), priority: 'high' as const };
  const last = { ...waiting('c', 3), priority: 'low' as const };

  for (const direction of ['asc', 'desc'] as const) {
    const listing = { ...QUEUE, direction };
    const pages = withChanges([page([waiting('a', 1)])], ['b', 'c'], [first, last], listing);
    expect(namesIn(pages)).toEqual([['b', 'a', 'c']]);
  }
});

it('lists only conversations with the label of the filter', () => {
  const labelled = (name: string, second: number, labelIds?: string[]): InboxRow => ({
    ...waiting(name, second),
    preview: { labelIds },
  });
  const pages = [page([labelled('a', 1, ['vip'])])];
  const filtered = { ...QUEUE, labelId: 'vip' };

  expect(namesIn(withChanges(pages, ['b'], [labelled('b', 2, ['spam', 'vip'])], filtered))).toEqual([['a', 'b']]);
  expect(namesIn(withChanges(pages, ['b'], [labelled('b', 2, ['spam'])], filtered))).toEqual([['a']]);
  expect(namesIn(withChanges(pages, ['a'], [labelled('a', 1)], filtered))).toEqual([[]]);
});
