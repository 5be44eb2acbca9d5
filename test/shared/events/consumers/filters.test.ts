/** Tests which changes of the table invoke which consumer. */
import { expect, it } from 'vitest';
import { reactToTable } from '#functions/events/reactToTable.ts';
import { matches } from '#shared/events/consumers/filters.ts';

const record = (eventName: string, sk: string, oldImage: object = {}) => ({
  eventName,
  dynamodb: { Keys: { pk: { S: 'bot#convo' }, sk: { S: sk } }, OldImage: oldImage },
});

it.each([
  ['a new message', record('INSERT', 't#0000000000'), true],
  ['a changed conversation', record('MODIFY', 'conversation'), true],
  ['a new conversation', record('INSERT', 'conversation'), true],
  ['a new participant', record('INSERT', 'participant#user'), false],
  ['a deleted user', record('REMOVE', 'user'), true],
  ['a changed message', record('MODIFY', 't#0000000000'), true],
  ['a processed event', record('MODIFY', 'event#0000000000t'), true],
  ['an expired event', record('REMOVE', 'event#0000000000t'), false],
  ['a deleted note', record('REMOVE', 'note#0000000000'), true],
  ['typing', record('MODIFY', 'signals'), true],
  ['a deleted message', record('REMOVE', 't#0000000000'), false],
  ['a deleted message with tags', record('REMOVE', 't#0000000000', { h: { N: '1' } }), true],
  ['a state', record('INSERT', 'state#s'), false],
  [
    'a deleted message whose payload is in the object store',
    record('REMOVE', 't#0000000000', { o: { S: 'values/x' } }),
    true,
  ],
])('decides for %s whether to invoke reactToTable: %s', (_, event, expected) => {
  expect(reactToTable.trigger.stream.some(filter => matches(filter, event))).toBe(expected);
});
