/**
 * A listener's progress in a timeline. Serialised, it is the `id` of each frame, with which a client resumes after an
 * interruption.
 *
 * Positions start with the writer's clock, and clocks differ: a new entry may sort before existing ones, so the newest
 * position sent is not enough. A cursor has a floor, below which no entry will appear any more and everything is sent,
 * and the set of positions sent above the floor.
 *
 *     floor (a position, 10 characters), then for each position: milliseconds above the floor (3) and sequence (3)
 */
import { invalidPayload } from '#shared/core/errors.ts';
import { decodeTime, encodeTime, sequenceOf } from '#shared/core/ids.ts';

/** Writers' clocks differ by up to 2 s; the rest allows for slow writes. */
export const WINDOW_MS = 5_000;
/** Covers entries written while the client was connecting. */
const LOOK_BACK_MS = 2_000;

const FIRST_SEQUENCE = '000';
/** Offsets omit the leading zeros of the 7 characters of milliseconds. */
const OFFSET_START = 4;
const FURTHEST_OFFSET_MS = 62 ** 3 - 1;

/**
 * Keeps the header below 1.5 KB. After more than 48 signals a second for 5 seconds, a client that resumes receives the
 * oldest ones again. They have ids, and repeating is better than losing.
 */
const SENT_LIMIT = 240;
const CURSOR = new RegExp(`^[0-9A-Za-z]{10}(?:[0-9A-Za-z]{6}){0,${SENT_LIMIT}}$`);

/** The first position at a time. */
export const floorAt = (ms: number) => encodeTime(ms) + FIRST_SEQUENCE;

export class Cursor {
  #floor: string;
  readonly #sent: Set<string>;

  private constructor(floor: string, sent: Set<string>) {
    this.#floor = floor;
    this.#sent = sent;
  }

  /** The cursor of a new listener. */
  static start(nowMs: number): Cursor {
    return new Cursor(floorAt(nowMs - LOOK_BACK_MS), new Set());
  }

  /**
   * The cursor of a new listener who has read these positions.
   * @param positions in their order
   */
  static after(positions: readonly string[], nowMs: number): Cursor {
    const cursor = Cursor.start(nowMs);
    const floor = cursor.floor;
    for (const position of positions) if (position >= floor) cursor.add(position, nowMs - WINDOW_MS);
    return cursor;
  }

  /** @throws ApiError InvalidPayload for a text that is not a cursor */
  static parse(text: string, nowMs: number): Cursor {
    const floor = text.slice(0, 10);
    const floorMs = decodeTime(floor);
    // The clock of the instance that issued it may be ahead of this one.
    if (!CURSOR.test(text) || floorMs > nowMs + WINDOW_MS) {
      throw invalidPayload('Not the id of a frame. Omit it to start with new events.', 'Last-Event-ID');
    }
    const sent = text.slice(10).match(/.{6}/g) ?? [];
    // Offset and sequence have three characters each.
    const position = (each: string) => encodeTime(floorMs + decodeTime(each.slice(0, 3))) + each.slice(3);
    return new Cursor(floor, new Set(sent.map(position)));
  }

  /** The position to read from. */
  get floor(): string {
    return this.#floor;
  }

  has(position: string): boolean {
    return this.#sent.has(position);
  }

  /**
   * Marks an entry as handled: sent, or not a signal. Entries must be added in order.
   * @param settledMs the time before which no entry will appear any more
   */
  add(position: string, settledMs: number): void {
    this.#sent.add(position);
    const settled = floorAt(settledMs);
    this.#raise(position < settled ? position : settled);
  }

  /** Marks everything before a time as handled. */
  settle(settledMs: number): void {
    this.#raise(floorAt(settledMs));
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
