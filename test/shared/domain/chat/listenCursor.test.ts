import { describe, expect, it } from 'vitest';
import { encodeTime, positionAt } from '#shared/core/ids.ts';
import { Cursor, WINDOW_MS } from '#shared/domain/chat/listenCursor.ts';
import fc from '#test/support/fastCheck.ts';

const NOW = Date.UTC(2026, 10, 20);
const place = (ms: number, sequence = '000') => encodeTime(ms) + sequence;
const resumed = (cursor: Cursor) => Cursor.parse(String(cursor), NOW);

describe('Cursor', () => {
  it('starts slightly before the current time, with no sent positions', () => {
    expect(Cursor.start(NOW).floor).toBe(place(NOW - 2_000));
  });

  it('restores the positions sent above its floor, in any order', () => {
    const offsets = fc.uniqueArray(fc.integer({ min: -2_000, max: 2_000 }), { maxLength: 100 });
    fc.assert(
      fc.property(offsets, fc.constantFrom('000', 'zzz', '0aZ'), (found, sequence) => {
        const cursor = Cursor.start(NOW);
        const positions = found.map(offset => place(NOW + offset, sequence));
        for (const position of positions) cursor.add(position, NOW - WINDOW_MS);

        const again = resumed(cursor);
        expect(again.floor).toBe(cursor.floor);
        expect(positions.filter(position => !again.has(position))).toEqual([]);
        expect(again.has(place(NOW + 3_000, sequence))).toBe(false);
      }),
    );
  });

  it('raises its floor to the watermark, but never past an entry in progress', () => {
    const cursor = Cursor.start(NOW - 60_000);
    const old = place(NOW - 50_000, 'abc');

    cursor.add(old, NOW - WINDOW_MS);
    expect(cursor.floor).toBe(old);
    expect(resumed(cursor).has(old)).toBe(true);

    cursor.advance(NOW - WINDOW_MS);
    expect(cursor.floor).toBe(place(NOW - WINDOW_MS));
    expect(String(cursor)).toHaveLength(10);

    cursor.advance(NOW - 2 * WINDOW_MS);
    expect(cursor.floor).toBe(place(NOW - WINDOW_MS));
  });

  it('stays below 1.5 KB by keeping only the newest positions', () => {
    const cursor = Cursor.start(NOW);
    const positions = Array.from({ length: 1_000 }, (_, i) => place(NOW - 1_000 + i));
    for (const position of positions) cursor.add(position, NOW - WINDOW_MS);

    expect(String(cursor).length).toBeLessThan(1_500);
    const again = resumed(cursor);
    expect(again.has(positions.at(-1)!)).toBe(true);
    expect(again.has(positions[0]!)).toBe(false);
  });

  it('omits a position beyond its largest offset', () => {
    const cursor = Cursor.start(NOW);
    const far = positionAt(NOW + 3_600_000);
    cursor.add(far, NOW - WINDOW_MS);

    expect(resumed(cursor).has(far)).toBe(false);
  });

  it.each(['x', '-'.repeat(10), `${place(NOW)}abc`, place(NOW + 60_000), `${place(NOW)}${'abcdef'.repeat(241)}`, '%'])(
    'rejects %j',
    text => {
      expect(() => Cursor.parse(text, NOW)).toThrow('Must be the id of a frame.');
    },
  );
});
