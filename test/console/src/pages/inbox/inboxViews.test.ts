/** Views of the inbox. */

import { describe, expect, it } from 'vitest';
import type { InboxRow } from '#console/src/api/contract.ts';
import { VIEWS, viewOf } from '#console/src/navigation/inboxAddress.ts';
import { belongsTo, countOf, sortTimeOf } from '#console/src/pages/inbox/inboxViews.ts';
import { shownCount } from '#console/src/parts/shownCount.ts';

const row = (changes: Partial<InboxRow>): InboxRow => ({
  id: 'handoff_1',
  botId: 'bot',
  conversationId: 'convo_1',
  status: 'waiting',
  startedAt: '2030-01-01T00:00:00.000Z',
  startedBy: { type: 'bot', id: 'b', name: 'Bot' },
  updatedAt: '2030-01-01T00:01:00.000Z',
  priority: 'normal',
  isUnread: false,
  ...changes,
});
const member = (id: string) => ({ id, name: id, userId: `user_${id}` });

it('defaults to the queue for an unknown view', () => {
  expect(['mine', 'nonsense', undefined].map(viewOf)).toEqual(['mine', 'waiting', 'waiting']);
});

it('shows the counts of the API, up to its limit', () => {
  const counts = { waiting: 3, served: 4, mine: 2, unread: 1, snoozed: 5, mentions: 6 };

  expect(VIEWS.map(view => countOf(view, counts))).toEqual([3, 2, 1, 5, 6, 7, undefined, undefined]);
  expect([shownCount(99), shownCount(100)]).toEqual(['99', '99+']);
});

it.each<[string, Partial<InboxRow>, string[]]>([
  ['waits', {}, ['waiting', 'open', 'all']],
  ['is assigned to the member', { status: 'served', member: member('me') }, ['mine', 'open', 'all']],
  [
    'is assigned to the member and unread',
    { status: 'served', member: member('me'), isUnread: true },
    ['mine', 'unread', 'open', 'all'],
  ],
  ['is assigned to another member', { status: 'served', member: member('ben'), isUnread: true }, ['open', 'all']],
  ['is snoozed in the queue', { snoozedUntil: '2030-01-02T09:00:00.000Z' }, ['snoozed', 'all']],
  [
    'is snoozed by its assignee',
    { status: 'served', member: member('me'), isUnread: true, snoozedUntil: '2030-01-02T09:00:00.000Z' },
    ['snoozed', 'all'],
  ],
  ['is closed', { status: 'closed', member: member('me') }, ['closed', 'all']],
])('lists a conversation that %s', (_, changes, expected) => {
  expect(VIEWS.filter(view => belongsTo(view, row(changes), 'me'))).toEqual(expected);
});

describe('the time by which a view is sorted', () => {
  it('is the start in the queue', () => {
    expect(sortTimeOf('waiting', row({}))).toBe('2030-01-01T00:00:00.000Z');
  });

  it('is the last message of the customer for the conversations of a member, or a later assignment', () => {
    const mine = row({ status: 'served', member: member('me') });

    expect(sortTimeOf('mine', { ...mine, lastUserMessageAt: '2030-01-01T00:02:00.000Z' })).toContain('00:02:00');
    expect(sortTimeOf('mine', { ...mine, lastUserMessageAt: '2030-01-01T00:00:30.000Z' })).toContain('00:01:00');
    expect(sortTimeOf('mine', mine)).toContain('00:01:00');
  });

  it('is the end of the snooze for snoozed conversations', () => {
    expect(sortTimeOf('snoozed', row({ snoozedUntil: '2030-01-02T09:00:00.000Z' }))).toBe('2030-01-02T09:00:00.000Z');
  });

  it('is the last change elsewhere', () => {
    expect(sortTimeOf('closed', row({ status: 'closed' }))).toBe('2030-01-01T00:01:00.000Z');
  });
});
