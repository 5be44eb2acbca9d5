import { describe, expect, it } from 'vitest';
import {
  decodeTime,
  encodeTime,
  isForeignId,
  newConversationId,
  newPosition,
  newUserId,
  parseTimelineId,
  resolveConversationId,
  resolveUserId,
  timelineId,
} from '#shared/core/ids.ts';

const NOW = Date.UTC(2026, 10, 20);

describe('ids', () => {
  it('has 28 to 36 characters, like ids of the ecosystem', () => {
    const conversation = newConversationId();
    const ids = [
      conversation,
      newUserId(),
      timelineId('msg', conversation, newPosition()),
      timelineId('evt', conversation, newPosition()),
    ];

    expect(ids.map(({ length }) => length)).toEqual([28, 29, 36, 36]);
  });

  it('sorts by creation time', () => {
    const made = [0, 1, 61, 62, 3843, 1e9].map(ms => newConversationId(NOW + ms));

    expect([...made].sort()).toEqual(made);
  });

  it('contains the conversation and position of a message', () => {
    const conversationId = newConversationId();
    const position = newPosition();

    expect(parseTimelineId('msg', timelineId('msg', conversationId, position))).toEqual({ position, conversationId });
    expect(parseTimelineId('evt', timelineId('msg', conversationId, position))).toBeUndefined();
    expect(parseTimelineId('msg', 'msg_short')).toBeUndefined();
  });

  it('stores a time to the millisecond, until 2081', () => {
    for (const ms of [0, NOW, Date.UTC(2081, 0, 1)]) expect(decodeTime(encodeTime(ms))).toBe(ms);
  });
});

describe('positions', () => {
  it('only increase within a process, even within a millisecond and when the clock steps back', () => {
    const made = Array.from({ length: 100_000 }, (_, i) => newPosition(NOW - (i % 3)));

    expect([...made].sort()).toEqual(made);
    expect(new Set(made).size).toBe(made.length);
  });

  it('uses the current time after a clock that was ahead is corrected', () => {
    newPosition(NOW + 60 * 60_000);

    expect(decodeTime(newPosition(NOW))).toBe(NOW);
  });
});

describe('foreign ids', () => {
  it('maps to a stable id per webhook and kind', () => {
    const [a, b] = [resolveUserId('hook', 'ada'), resolveUserId('hook', 'ada')];

    expect(a).toBe(b);
    expect(resolveUserId('other', 'ada')).not.toBe(a);
    expect(resolveUserId('hook', 'Ada')).not.toBe(a);
    expect(resolveConversationId('hook', 'ada')?.slice(-22)).not.toBe(a?.slice(-22));
  });

  it('does not include generated ids', () => {
    const own = newUserId();

    expect(resolveUserId('hook', own)).toBe(own);
    expect(isForeignId(own)).toBe(false);
    expect(resolveUserId('hook', newConversationId())).toBeUndefined();
    for (const id of ['', 'a b', 'a/b', 'ä', 'x'.repeat(71)]) expect(resolveUserId('hook', id)).toBeUndefined();
  });
});
