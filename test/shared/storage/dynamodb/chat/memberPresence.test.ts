import { describe, expect, it } from 'vitest';
import { hasAttendanceChanged, stateAt } from '#shared/storage/dynamodb/chat/memberPresence.ts';
import { hasTypingChanged } from '#shared/storage/dynamodb/chat/presence.ts';

const at = 1_000_000;

describe('the presence of a member', () => {
  it('ends 75 seconds after the last signal, and writing 30 seconds after it', () => {
    const writing = { state: 'writingNote' as const, atMs: at };

    expect([0, 30_000, 30_001, 75_000, 75_001].map(ms => stateAt(writing, at + ms))).toEqual([
      ...['writingNote', 'writingNote', 'viewing', 'viewing'],
      undefined,
    ]);
  });

  const mark = (s: string, a = at) => ({ a, s, n: 'Ada' });
  it.each([
    ['a member who comes', {}, { 'm#a': mark('viewing') }, true],
    ['a member who leaves', { 'm#a': mark('viewing') }, {}, true],
    ['a member who writes', { 'm#a': mark('viewing') }, { 'm#a': mark('writingReply', at + 1) }, true],
    ['a renewal', { 'm#a': mark('viewing') }, { 'm#a': mark('viewing', at + 45_000) }, false],
    ['a return after the expiry', { 'm#a': mark('viewing') }, { 'm#a': mark('viewing', at + 76_000) }, true],
  ])('decides whether to announce %s', (_, before, after, isAnnounced) => {
    expect(hasAttendanceChanged(before, after)).toBe(isAnnounced);
  });
});

describe('the typing of an end user', () => {
  const mark = (v: boolean, a = at, m?: boolean) => ({ a, v, m });
  it.each([
    ['its start', {}, { 't#u': mark(true) }, true],
    ['its end', { 't#u': mark(true) }, { 't#u': mark(false, at + 1) }, true],
    ['a repetition', { 't#u': mark(true) }, { 't#u': mark(true, at + 5_000) }, false],
    ['a start after the expiry', { 't#u': mark(true) }, { 't#u': mark(true, at + 10_001) }, true],
    ['typing of a member', {}, { 't#u': mark(true, at, true) }, false],
    ['a read mark', { 't#u': mark(true) }, { 't#u': mark(true), 'r#u': { a: at + 1, v: 'msg' } }, false],
    ['a repeated end', { 't#u': mark(false) }, { 't#u': mark(false, at + 1) }, false],
  ])('is announced only if it begins or ends: %s', (_, before, after, isAnnounced) => {
    expect(hasTypingChanged(before, after)).toBe(isAnnounced);
  });
});
