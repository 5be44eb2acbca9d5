import { describe, expect, it } from 'vitest';
import { EVERYTHING, ONLY_MINE } from '#console/src/alerts/alertSettings.ts';
import {
  type Alert,
  type Considered,
  decideAlerts,
  decideMentions,
  type HandoffAlert,
  joinAlerts,
} from '#console/src/alerts/decideAlerts.ts';
import type { InboxRow } from '#console/src/api/contract.ts';
import { at, by, ME, mine, waiting } from './alertRows.ts';

const opened: Considered = { since: at(0), byHandoff: new Map() };
const viewer = { ownId: ME, events: EVERYTHING, isViewing: () => false };

const decide = (rows: InboxRow[], considered = opened, options = {}) =>
  decideAlerts(considered, rows, { ...viewer, ...options });
const eventsOf = (rows: InboxRow[], considered?: Considered, options?: object) =>
  decide(rows, considered, options).alerts.map(({ event }) => event);

const assignedByBob = mine({ servedAt: at(5), updatedAt: at(5), updatedBy: by('bob') });
const withMessage = (second: number) => mine({ lastUserMessageAt: at(second), isUnread: true });

describe('a conversation in the queue', () => {
  it('alerts when it starts to wait', () => {
    expect(eventsOf([waiting({ startedAt: at(5), updatedAt: at(5) })])).toEqual(['waiting']);
  });

  it('alerts when another member returns it', () => {
    expect(eventsOf([waiting({ updatedAt: at(5), updatedBy: by('bob') })])).toEqual(['waiting']);
  });

  it('does not alert when the member returns it', () => {
    expect(eventsOf([waiting({ updatedAt: at(5), updatedBy: by(ME) })])).toEqual([]);
  });

  it('does not alert if it waited before the page was opened, although its customer writes', () => {
    expect(eventsOf([waiting({ lastUserMessageAt: at(5), isUnread: true })])).toEqual([]);
  });

  it('does not alert after it was closed', () => {
    expect(eventsOf([waiting({ status: 'closed', updatedAt: at(5) })])).toEqual([]);
  });
});

describe('a snooze', () => {
  const bot = { type: 'bot' as const, id: 'bot', name: 'Bot' };
  const snooze = { by: by(ME), at: at(1), until: at(5) };

  it.each([
    ['in the queue', waiting({ updatedAt: at(5), updatedBy: by('bob'), snoozedUntil: at(9) })],
    ['of the member', mine({ updatedAt: at(5), updatedBy: by('bob'), snoozedUntil: at(9) })],
  ])('does not alert when it starts %s', (_, row) => {
    expect(eventsOf([row])).toEqual([]);
  });

  it('alerts once, as a message, when it ends at its time', () => {
    const ended = mine({
      updatedAt: at(5),
      updatedBy: bot,
      isUnread: true,
      latestSnooze: { ...snooze, endedAt: at(5) },
    });
    const { alerts, considered } = decide([ended]);

    expect(alerts.map(({ event }) => event)).toEqual(['message']);
    expect(eventsOf([ended], considered)).toEqual([]);
  });

  it('does not hide a later assignment', () => {
    const row = { ...assignedByBob, latestSnooze: { ...snooze, endedAt: at(4) } };

    expect(eventsOf([row])).toEqual(['assigned']);
  });
});

describe('an assignment', () => {
  it('alerts when another member makes it', () => {
    expect(eventsOf([assignedByBob])).toEqual(['assigned']);
  });

  it('alerts when the bot makes it', () => {
    const row = mine({ updatedAt: at(5), updatedBy: { type: 'bot', id: 'bot', name: 'Bot' } });

    expect(eventsOf([row])).toEqual(['assigned']);
  });

  it('does not alert when the member takes over, also on another device', () => {
    const row = mine({ servedAt: at(5), updatedAt: at(5), lastUserMessageAt: at(4), isUnread: true });

    expect(eventsOf([row])).toEqual([]);
  });

  it('does not alert when it is to another member', () => {
    const row = { ...assignedByBob, member: { id: 'bob', name: 'Bob', userId: 'user_bob' } };

    expect(eventsOf([row])).toEqual([]);
  });

  it('alerts once, including the messages before it', () => {
    const { considered, alerts } = decide([{ ...assignedByBob, lastUserMessageAt: at(4), isUnread: true }]);

    expect(alerts).toHaveLength(1);
    expect(eventsOf([{ ...assignedByBob, lastUserMessageAt: at(4), isUnread: true }], considered)).toEqual([]);
  });
});

describe('a message', () => {
  it('alerts in a conversation of the member', () => {
    expect(eventsOf([withMessage(5)])).toEqual(['message']);
  });

  it('alerts again for the next message, but not for a repeated notice', () => {
    const { considered } = decide([withMessage(5)]);

    expect(eventsOf([withMessage(5)], considered)).toEqual([]);
    expect(eventsOf([withMessage(6)], considered)).toEqual(['message']);
  });

  it('does not alert if it was read, or is older than the page', () => {
    expect(eventsOf([mine({ lastUserMessageAt: at(5), isUnread: false })])).toEqual([]);
    expect(eventsOf([withMessage(-1)])).toEqual([]);
  });

  it('does not alert in a conversation of another member', () => {
    const row = { ...withMessage(5), member: { id: 'bob', name: 'Bob', userId: 'user_bob' } };

    expect(eventsOf([row])).toEqual([]);
  });
});

it('does not alert to a conversation that the member looks at, also not afterwards', () => {
  const { considered, alerts } = decide([withMessage(5)], opened, { isViewing: () => true });

  expect(alerts).toEqual([]);
  expect(eventsOf([withMessage(5)], considered)).toEqual([]);
});

it('alerts only to the chosen events', () => {
  const rows = [waiting({ conversationId: 'new', updatedAt: at(5) }), assignedByBob];

  expect(eventsOf(rows, opened, { events: ONLY_MINE })).toEqual(['assigned']);
  expect(eventsOf(rows, opened, { events: { ...EVERYTHING, assigned: false } })).toEqual(['waiting']);
});

it('finds what was missed by reading again, and nothing that was considered before', () => {
  const { considered } = decide([waiting({ conversationId: 'one', updatedAt: at(5) })]);

  const { alerts } = decide(
    [
      waiting({ conversationId: 'one', updatedAt: at(5) }),
      waiting({ conversationId: 'two', updatedAt: at(6) }),
      waiting({ conversationId: 'old' }),
    ],
    considered,
  );

  expect(alerts.map(({ row }) => row.conversationId)).toEqual(['two']);
});

it('joins alerts, of which the latest of a conversation remains', () => {
  const alert = (event: HandoffAlert['event'], conversationId: string): Alert => ({
    event,
    row: waiting({ conversationId }),
  });

  const joined = joinAlerts([alert('assigned', 'one'), alert('waiting', 'two')], [alert('message', 'one')]);

  expect(joined.map(({ event, row }) => [event, row.conversationId])).toEqual([
    ['waiting', 'two'],
    ['message', 'one'],
  ]);
});

describe('a mention in a note', () => {
  const mention = (second: number) => ({
    noteId: `note ${second}`,
    botId: 'bot',
    conversationId: 'convo',
    createdAt: at(second),
    author: by('bob'),
    excerpt: 'Please look',
  });
  const known = { since: at(2), considered: new Set(['note 3']) };

  it('alerts once, if it was written after the page was opened', () => {
    const alerts = decideMentions(known, [mention(1), mention(3), mention(4)], viewer);

    expect(alerts.map(({ event, row }) => [event, row.noteId])).toEqual([['mention', 'note 4']]);
  });

  it('does not alert in the open conversation, and if the member does not want it', () => {
    const muted = { ...viewer, events: { ...EVERYTHING, mention: false } };

    expect(decideMentions(known, [mention(4)], { ...viewer, isViewing: () => true })).toEqual([]);
    expect(decideMentions(known, [mention(4)], muted)).toEqual([]);
  });
});
