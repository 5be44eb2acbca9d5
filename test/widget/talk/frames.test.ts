/** Tests server-sent events that are split at any position. */
import { expect, it } from 'vitest';
import { FrameReader } from '#widget/talk/frames.ts';

const STREAM = 'retry: 1000\r\nid: a\r\n: listening\r\n\r\nid: b\ndata: {"x":\ndata: 1}\n\n:\n\ndata:ping\r\rid: c\n\n';
const FRAMES = [{ retryMs: 1_000, id: 'a' }, { id: 'b', data: '{"x":\n1}' }, { data: 'ping' }, { id: 'c' }];

it('returns the same frames for any split of the stream', () => {
  for (let size = 1; size <= STREAM.length; size++) {
    const reader = new FrameReader();
    const frames = [];
    for (let at = 0; at < STREAM.length; at += size) frames.push(...reader.read(STREAM.slice(at, at + size)));
    expect(frames).toEqual(FRAMES);
  }
});

it('keeps an incomplete frame, and throws when it exceeds the limit', () => {
  const reader = new FrameReader();

  expect(reader.read('data: begun')).toEqual([]);
  expect(() => reader.read('x'.repeat(8_000_001))).toThrow('an unterminated frame');
});
