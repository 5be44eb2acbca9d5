/**
 * A listener's progress in a timeline, serialised as the `id` of each frame.
 *
 * Positions start with the writer's clock, and clocks differ, so a new entry may sort before existing ones. A cursor
 * has a floor, below which all entries were sent and none can appear, and the set of positions sent above it. Its text
 * is the floor (10 characters), then the offset in milliseconds (3) and sequence (3) of each position.
 */
import { invalidPayload } from '#shared/core/errors.ts';
import { decodeTime, encodeTime, sequenceOf } from '#shared/core/ids.ts';

export const WINDOW_MS = 5_000;
/** Covers entries written while the client connected. */
export const LOOK_BACK_MS = 2_000;

const FIRST_SEQUENCE = '000';
const OFFSET_START = 4;
const FURTHEST_OFFSET_MS = 62 ** 3 - 1;

/** Keeps the header below 1.5 KB. Beyond 48 signals per second, a resuming client receives the oldest ones twice. */
const SENT_LIMIT = 240;
const CURSOR = new RegExp(`^[0-9A-Za-z]{10}(?:[0-9A-Za-z]{6}){0,${SENT_LIMIT}}$`);

export const floorAt = (ms: number) => encodeTime(ms) + FIRST_SEQUENCE;

export class Cursor {
  #floor: string;
  readonly #sent: Set<string>;

  private constructor(floor: string, sent: Set<string>) {
    this.#floor = floor;
    this.#sent = sent;
  }

  static start(nowMs: number): Cursor {
    return new Cursor(floorAt(nowMs - LOOK_BACK_MS), new Set());
  }

  /** Returns the cursor of a new listener that has these positions, in order. */
  static after(positions: readonly string[], nowMs: number): Cursor {
    const cursor = Cursor.start(nowMs);
    const floor = cursor.floor;
    for (const position of positions) if (position >= floor) cursor.add(position, nowMs - WINDOW_MS);
    return cursor;
  }

  static parse(text: string, nowMs: number): Cursor {
    const floor = text.slice(0, 10);
    const floorMs = decodeTime(floor);
    if (!CURSOR.test(text) || floorMs > nowMs + WINDOW_MS) {
      throw invalidPayload('Must be the id of a frame. Omit it to start with new events.', 'Last-Event-ID');
    }
    const sent = text.slice(10).match(/.{6}/g) ?? [];
    const position = (each: string) => encodeTime(floorMs + decodeTime(each.slice(0, 3))) + each.slice(3);
    return new Cursor(floor, new Set(sent.map(position)));
  }

  get floor(): string {
    return this.#floor;
  }

  has(position: string): boolean {
    return this.#sent.has(position);
  }

  /** Marks an entry as sent or irrelevant, in order. No entry before `watermarkMs` can still appear. */
  add(position: string, watermarkMs: number): void {
    this.#sent.add(position);
    const watermark = floorAt(watermarkMs);
    this.#raise(position < watermark ? position : watermark);
  }

  advance(watermarkMs: number): void {
    this.#raise(floorAt(watermarkMs));
  }

  #raise(floor: string): void {
    if (floor <= this.#floor) return;
    this.#floor = floor;
    for (const position of this.#sent) if (position < floor) this.#sent.delete(position);
  }

  toString(): string {
    const floorMs = decodeTime(this.#floor);
    const offsetMs = (position: string) => decodeTime(position) - floorMs;
    return (
      this.#floor +
      [...this.#sent]
        .filter(position => offsetMs(position) <= FURTHEST_OFFSET_MS)
        .sort()
        .slice(-SENT_LIMIT)
        .map(position => encodeTime(offsetMs(position)).slice(OFFSET_START) + sequenceOf(position))
        .join('')
    );
  }
}
