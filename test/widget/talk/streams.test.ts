/** Tests replies that grow in parts, which may be lost, repeated and out of order. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Message } from '#widget/talk/chatContract.ts';
import { Streams } from '#widget/talk/streams.ts';

const onExpiry = vi.fn();
let streams: Streams;

beforeEach(() => {
  vi.useFakeTimers();
  onExpiry.mockReset();
  streams = new Streams(onExpiry);
});
afterEach(() => {
  vi.useRealTimers();
});

const part = (sequence: number, delta: string, changes = {}) => ({
  streamId: 's',
  conversationId: 'c',
  userId: 'bot',
  createdAt: '2026-01-01T00:00:00Z',
  sequence,
  delta,
  ...changes,
});
const message = (changes = {}) =>
  ({ id: 'msg_1', userId: 'bot', payload: {}, metadata: { streamId: 's' }, ...changes }) as unknown as Message;
const texts = () => streams.state.replies.map(({ text }) => text);

it.each([0, 1])('orders parts that count from %i, and ignores repeated ones', first => {
  for (const [sequence, delta] of [
    [0, 'One '],
    [2, 'three '],
    [1, 'two '],
    [1, 'TWO'],
    [3, 'four'],
  ] as const) {
    streams.add(part(first + sequence, delta));
  }

  expect(texts()).toEqual(['One two three four']);
});

it('keeps the parts before a missing one until the final message arrives', () => {
  streams.add(part(0, 'One '));
  streams.add(part(2, 'three'));
  expect(texts()).toEqual(['One ']);

  streams.complete(message());

  expect(texts()).toEqual([]);
  expect(streams.state.streamIds).toEqual(new Map([['msg_1', 's']]));
});

it('ends with the stream that the signal names', () => {
  streams.add(part(0, 'One'));

  streams.complete(message({ metadata: undefined }), 's');

  expect(texts()).toEqual([]);
});

it('ignores parts after the end of a stream', () => {
  streams.add(part(0, 'One'));
  streams.remove('s');

  streams.add(part(1, ' two'));

  expect(texts()).toEqual([]);
});

it('keeps the element of a message whose signal is repeated', () => {
  streams.add(part(0, 'One'));

  streams.complete(message());
  streams.complete(message());

  expect(streams.state.streamIds.get('msg_1')).toBe('s');
});

it('ignores messages and parts of another author', () => {
  streams.add(part(0, 'One'));

  streams.complete(message({ userId: 'ada' }));
  streams.add(part(1, ' two', { userId: 'ada' }));

  expect(texts()).toEqual(['One']);
});

it('removes a reply of which nothing arrives for two minutes', () => {
  streams.add(part(0, 'One'));
  vi.advanceTimersByTime(119_000);
  streams.add(part(1, ' two'));
  vi.advanceTimersByTime(119_000);
  expect(texts()).toEqual(['One two']);

  vi.advanceTimersByTime(1_000);

  expect(texts()).toEqual([]);
  expect(onExpiry).toHaveBeenCalledTimes(1);
});
