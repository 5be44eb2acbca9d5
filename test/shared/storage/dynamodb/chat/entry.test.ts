/** Tests that timeline entries are stored under letters, which items of earlier releases have. */
import { expect, it } from 'vitest';
import { type Entry, entryItem, parseEntry } from '#shared/storage/dynamodb/chat/entry.ts';
import { timelineKey } from '#shared/storage/dynamodb/keys/chat.ts';

const POSITION = 'Vc8qDwp000';
const KEY = timelineKey('bot', 'convo_1', POSITION);

const ENTRY: Entry = {
  kind: 'message',
  position: POSITION,
  userId: 'user_1',
  foreignUserId: 'fred',
  generation: 3,
  payload: { p: '{"text":"Hello"}' },
  hasMetadata: true,
  messageId: 'msg_1',
  type: 'text',
  direction: 'incoming',
  isSynthetic: true,
  isImported: true,
  tags: { color: 'red' },
  feedback: { value: 'positive' },
  undelivered: 'Timed out.',
  by: 'bot',
  version: 2,
  changedAtMs: 7,
};
const ITEM = {
  k: 'm',
  u: 'user_1',
  f: 'fred',
  g: 3,
  p: '{"text":"Hello"}',
  x: true,
  i: 'msg_1',
  y: 'text',
  w: 'i',
  s: true,
  j: true,
  t: { color: 'red' },
  h: 1,
  l: { value: 'positive' },
  q: 'Timed out.',
  by: 'bot',
  version: 2,
  c: 7,
};

it('stores each attribute of an entry under a one-letter name', () => {
  const item = entryItem(ENTRY);

  expect(item).toEqual(ITEM);
});

it('reads each attribute of an entry under its full name', () => {
  const entry = parseEntry({ ...KEY, ...ITEM });

  expect(entry).toEqual(ENTRY);
});

it.each([
  ['message', 'm'],
  ['event', 'e'],
  ['participant_added', 'a'],
  ['participant_removed', 'r'],
  ['message_deleted', 'd'],
  ['message_updated', 'u'],
] as const)('stores the kind %s as %s', (kind, letter) => {
  const item = entryItem({ kind, position: POSITION, userId: 'user_1', generation: 0 });
  const entry = parseEntry({ ...KEY, k: letter, u: 'user_1' });

  expect(item).toEqual({ k: letter, u: 'user_1' });
  expect(entry.kind).toBe(kind);
});
