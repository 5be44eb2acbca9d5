/** Views of the inbox. */
import { describe, expect, it } from 'vitest';
import type { Handoff } from '#console/src/api/contract.ts';
import { countOf, filtersOf, mergeNewest, shownCount, viewOf } from '#console/src/pages/inbox/inboxViews.ts';

const handoff = (conversationId: string, second: number, status: Handoff['status'] = 'waiting'): Handoff => ({
  id: `handoff_${conversationId}_${second}`,
  conversationId,
  status,
  startedAt: '2030-01-01T00:00:00.000Z',
  startedBy: { type: 'bot', id: 'b', name: 'Bot' },
  updatedAt: `2030-01-01T00:00:${String(second).padStart(2, '0')}.000Z`,
  isUnread: false,
});
const idsOf = (handoffs: Handoff[]) => handoffs.map(({ conversationId }) => conversationId);

it('defaults to the queue for an unknown view', () => {
  expect(['mine', 'nonsense', undefined].map(viewOf)).toEqual(['mine', 'waiting', 'waiting']);
});

it('shows the counts of the API, up to its limit', () => {
  const counts = { waiting: 3, served: 4, mine: 2, unread: 1 };

  expect((['waiting', 'mine', 'unread', 'open', 'closed', 'all'] as const).map(view => countOf(view, counts))).toEqual([
    3,
    2,
    1,
    7,
    undefined,
    undefined,
  ]);
  expect([shownCount(99), shownCount(100)]).toEqual(['99', '99+']);
});

it('sends one query per list', () => {
  expect(filtersOf('waiting', 'me')).toEqual([{ status: 'waiting' }]);
  expect(filtersOf('unread', 'me')).toEqual([{ accountId: 'me', isUnread: true }]);
  expect(filtersOf('open', 'me')).toEqual([{ status: 'waiting' }, { status: 'served' }]);
  expect(filtersOf('all', 'me')).toEqual([]);
});

describe('merged lists', () => {
  it('sorts by the last change, newest first', () => {
    const lists = [
      { items: [handoff('a', 9), handoff('b', 3)], hasMore: false },
      { items: [handoff('c', 5, 'served')], hasMore: false },
    ];

    expect(idsOf(mergeNewest(lists))).toEqual(['a', 'c', 'b']);
  });

  it('omits handoffs older than the oldest loaded one', () => {
    const lists = [
      { items: [handoff('a', 9), handoff('b', 6)], hasMore: true },
      { items: [handoff('c', 7, 'served'), handoff('d', 2, 'served')], hasMore: false },
    ];

    expect(idsOf(mergeNewest(lists))).toEqual(['a', 'c', 'b']);
  });

  it('shows a conversation once while its handoff moves between views', () => {
    const lists = [
      { items: [handoff('a', 3)], hasMore: false },
      { items: [handoff('a', 8, 'served')], hasMore: false },
    ];

    expect(mergeNewest(lists).map(({ status }) => status)).toEqual(['served']);
  });
});
