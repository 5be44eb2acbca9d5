/** Tests that both transports resume at one position, with the cursors of the server. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { encodeTime } from '#shared/core/ids.ts';
import { Cursor, floorAt } from '#shared/domain/chat/listenCursor.ts';
import { Progress } from '#widget/talk/progress.ts';

const NOW_MS = 1_800_000_000_000;
const positionAt = (ms: number, sequence = '000') => encodeTime(ms) + sequence;
const offsets = fc.uniqueArray(fc.nat(5_000), { minLength: 1, maxLength: 40 });

function progressWith(positions: readonly string[]): Progress {
  const progress = new Progress();
  for (const position of positions) progress.takePosition(position);
  return progress;
}

describe('the received frames', () => {
  it('contain each frame once', () => {
    const progress = progressWith([positionAt(NOW_MS)]);

    expect(progress.takePosition(positionAt(NOW_MS))).toBe(false);
    expect(progress.takePosition(positionAt(NOW_MS - 1))).toBe(true);
  });

  it('resume a WebSocket before all recent frames, although one has a clock ahead', () => {
    const progress = progressWith([1_000, 2_000, 60_000, 3_000].map(ms => positionAt(NOW_MS + ms)));

    expect(progress.after).toBe(positionAt(NOW_MS + 1_000));
  });

  it('continue from a WebSocket to an event stream without a gap or a repetition', () => {
    fc.assert(
      fc.property(offsets, all => {
        const positions = all.map(ms => positionAt(NOW_MS + ms, 'aZ9'));
        const progress = progressWith(positions);

        const cursor = Cursor.parse(progress.cursor!, NOW_MS + 10_000);

        expect(cursor.floor).toBe(floorAt(decodeFirst(progress.after!) - 5_000));
        expect(positions.filter(position => position >= cursor.floor && !cursor.has(position))).toEqual([]);
      }),
    );
  });

  it('continue from an event stream to a WebSocket without a gap or a repetition', () => {
    fc.assert(
      fc.property(offsets, all => {
        const server = Cursor.start(NOW_MS);
        const positions = all.map(ms => positionAt(NOW_MS + ms));
        const progress = new Progress();
        for (const position of positions) {
          server.add(position, NOW_MS);
          expect(progress.takeCursor(String(server))).toBe(true);
        }

        expect(progress.cursor).toBe(String(server));
        expect(progress.after! <= positions.toSorted()[0]!).toBe(true);
        expect(positions.map(position => progress.takePosition(position))).not.toContain(true);
        expect(progress.takePosition(floorAt(NOW_MS - 3_000), true)).toBe(false);
        expect(progress.takePosition(floorAt(NOW_MS - 3_000))).toBe(true);
      }),
    );
  });

  it('drop frames of an event stream that another tab has received', () => {
    const server = Cursor.start(NOW_MS);
    server.add(positionAt(NOW_MS), NOW_MS);
    const progress = progressWith([positionAt(NOW_MS)]);

    expect(progress.takeCursor(String(server))).toBe(false);
  });

  it('do not resume before the earlier messages were read', () => {
    const progress = progressWith([positionAt(NOW_MS)]);

    expect(progress.canResume).toBe(false);
    progress.isCaughtUp = true;
    expect(progress.canResume).toBe(true);
  });
});

const decodeFirst = (position: string) =>
  NOW_MS + Array.from({ length: 5_001 }, (_, ms) => ms).find(ms => encodeTime(NOW_MS + ms) === position.slice(0, 7))!;
