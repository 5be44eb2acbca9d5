import { describe, expect, it } from 'vitest';
import { concerns, isIndexed, isLive, join, type LiveQuery } from '#console/src/api/live/notices.ts';

const query = (queryKey: unknown[], data?: unknown, meta?: Record<string, unknown>): LiveQuery => ({
  queryKey,
  state: { data },
  meta,
});
const rows = (...ids: string[]) => ({ pages: [{ items: ids.map(conversationId => ({ conversationId })) }] });

const MESSAGES = query(['messages', 'bot', 'one', 40]);
const NOTES = query(['notes', 'bot', 'one']);
const EVENTS = query(['events', 'bot', '', '']);
const EVENTS_OF_ONE = query(['events', 'bot', 'of', 'one']);
const COUNTS = query(['inbox', 'workspace', 'counts'], { waiting: 1 });
const INBOX = query(['inbox', 'workspace', 'list', {}], rows('one'));
const OF_ONE = query(['handoffs', 'bot', 'list', { conversationId: 'one' }], rows('one'));
const OF_TWO = query(['handoffs', 'bot', 'list', { conversationId: 'two' }], rows('two'));
const LOG = query(['logs', 'bot', '15', {}]);

const concerned = (topics: string[], conversationIds?: string[], botId = 'bot') =>
  Object.entries({ MESSAGES, NOTES, EVENTS, EVENTS_OF_ONE, COUNTS, INBOX, OF_ONE, OF_TWO, LOG }).flatMap(
    ([name, each]) => (concerns(each, { botId, topics, ...(conversationIds ? { conversationIds } : {}) }) ? name : []),
  );

describe('a notice', () => {
  it.each([
    ['messages of the open conversation', ['messages'], ['one'], ['MESSAGES', 'LOG']],
    ['messages of another conversation', ['messages'], ['two'], ['LOG']],
    ['a note', ['notes'], ['one'], ['NOTES']],
    ['events of another conversation', ['events'], ['two'], ['EVENTS', 'LOG']],
    ['events of the open conversation', ['events'], ['one'], ['EVENTS', 'EVENTS_OF_ONE', 'LOG']],
    ['a handoff', ['handoffs'], ['one'], ['COUNTS', 'INBOX', 'OF_ONE']],
    ['the activity of a conversation', ['conversations'], ['one'], ['INBOX', 'OF_ONE']],
    ['a renamed user', ['users'], [], ['INBOX', 'OF_ONE', 'OF_TWO']],
    ['an unknown topic', ['novelties'], ['one'], []],
  ])('of %s concerns only the queries that show it', (_, topics, ids, expected) => {
    expect(concerned(topics, ids)).toEqual(expected);
  });

  it('without conversations concerns those of all', () => {
    expect(concerned(['messages', 'handoffs'])).toEqual(['MESSAGES', 'COUNTS', 'INBOX', 'OF_ONE', 'OF_TWO', 'LOG']);
  });

  it('of another bot concerns only the inbox', () => {
    expect(concerned(['messages', 'handoffs', 'events', 'notes'], undefined, 'other')).toEqual(['COUNTS', 'INBOX']);
  });

  it('does not concern a paused log', () => {
    const paused = query(['logs', 'bot', '15', {}], undefined, { isPaused: true });

    expect(concerns(paused, { botId: 'bot', topics: ['messages'] })).toBe(false);
  });
});

it('joins notices to one that concerns the queries of both', () => {
  const one = { botId: 'bot', topics: ['messages'], conversationIds: ['one'] };

  expect(join(undefined, one)).toEqual(one);
  expect(join(one, { botId: 'bot', topics: ['notes'], conversationIds: ['one', 'two'] })).toEqual({
    botId: 'bot',
    topics: ['messages', 'notes'],
    conversationIds: ['one', 'two'],
  });
  expect(join(one, { botId: 'bot', topics: ['notes'] })).toEqual({ botId: 'bot', topics: ['messages', 'notes'] });
});

it('tells lists that an index serves from records', () => {
  expect(isIndexed({ botId: 'bot', topics: ['messages', 'handoffs'] })).toBe(true);
  expect(isIndexed({ botId: 'bot', topics: ['messages', 'notes'] })).toBe(false);
});

it('includes only queries that the connection covers', () => {
  const other = query(['bot', 'bot']);

  expect([MESSAGES, INBOX, other].map(each => isLive(each, 'bot'))).toEqual([true, true, false]);
  expect([MESSAGES, INBOX, other].map(each => isLive(each, 'another'))).toEqual([false, true, false]);
  expect([MESSAGES, INBOX, other].map(each => isLive(each))).toEqual([true, true, false]);
});
