/** Groups of messages in a conversation. */
import { describe, expect, it } from 'vitest';
import { groupMessages } from '#console/src/parts/groupMessages.ts';

const at = (time: string, userId: string) => ({ id: `${time} ${userId}`, createdAt: `2026-03-0${time}`, userId });
const authorsOf = (messages: ReturnType<typeof at>[]) =>
  groupMessages(messages).map(({ messages: [first, ...more], startsDay }) => [
    first.userId,
    1 + more.length,
    startsDay,
  ]);

describe('groups of messages', () => {
  it('joins consecutive messages of one author', () => {
    const messages = [
      at('1T12:00:00', 'ada'),
      at('1T12:01:00', 'ada'),
      at('1T12:01:05', 'bot'),
      at('1T12:02:00', 'ada'),
    ];

    expect(authorsOf(messages)).toEqual([
      ['ada', 2, true],
      ['bot', 1, false],
      ['ada', 1, false],
    ]);
  });

  it('starts a new group after a pause of five minutes', () => {
    const messages = [at('1T12:00:00', 'ada'), at('1T12:04:59', 'ada'), at('1T12:09:59', 'ada')];

    expect(authorsOf(messages)).toEqual([
      ['ada', 2, true],
      ['ada', 1, false],
    ]);
  });

  it('starts a new group each day', () => {
    const messages = [at('1T23:59:00', 'ada'), at('2T00:01:00', 'ada')];

    expect(authorsOf(messages)).toEqual([
      ['ada', 1, true],
      ['ada', 1, true],
    ]);
  });

  it('is empty without messages', () => {
    expect(groupMessages([])).toEqual([]);
  });
});
