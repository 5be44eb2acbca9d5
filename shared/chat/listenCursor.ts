/**
 * How far a listener has come in a timeline, and the `id` of his frames, with which he goes on after an interruption.
 *
 * Positions start with the clock of who wrote them, and clocks differ: what is written now may stand before what is there
 * already. So a newest position says too little. A cursor has a floor, before which nothing will appear any more and
 * everything is sent; and of what is behind the floor, the positions that were sent.
 *
 *     floor (a position, 10 characters), then of each: milliseconds behind the floor (3) and sequence (3)
 */
import { invalidPayload } from '#shared/errors.ts';
import { decodeTime, encodeTime, sequenceOf } from '#shared/ids.ts';

/** Writers' clocks differ by up to 2 s, and a write may take its time. */
export const WINDOW_MS = 5_000;
/** What was said while the client was connecting is not lost on him. */
const LOOK_BACK_MS = 2_000;

const FIRST_SEQUENCE = '000';
/** Milliseconds, less the leading zeros of their 7 characters. */
const OFFSET_START = 4;
const FURTHEST_OFFSET_MS = 62 ** 3 - 1;

/**
 * Keeps the header below 1.5 KB. In a conversation of more than 48 signals a second for 5 seconds the oldest of them come
 * again to who resumes: they have ids, and a repetition is better than a loss.
 */
const SENT_LIMIT = 240;
const CURSOR = new RegExp(`^[0-9A-Za-z]{10}(?:[0-9A-Za-z]{6}){0,${SENT_LIMIT}}$`);

const placeAt = (ms: number) => encodeTime(ms) + FIRST_SEQUENCE;

export class Cursor {
  #floor: string;
  readonly #sent: Set<string>;

  private constructor(floor: string, sent: Set<string>) {
    this.#floor = floor;
    this.#sent = sent;
  }

  /** The cursor of who begins to listen. */
  static start(nowMs: number): Cursor {
    return new Cursor(placeAt(nowMs - LOOK_BACK_MS), new Set());
  }

  /** @throws ApiError InvalidPayload for what no listener was handed */
  static parse(text: string, nowMs: number): Cursor {
    const floor = text.slice(0, 10);
    const floorMs = decodeTime(floor);
    // The clock of who handed it out may be ahead of this one.
    if (!CURSOR.test(text) || floorMs > nowMs + WINDOW_MS) {
      throw invalidPayload('This is no id of a frame. Leave it out to begin with what comes now.', 'Last-Event-ID');
    }
    const sent = text.slice(10).match(/.{6}/g) ?? [];
    // An offset is as many characters as a sequence, and both are taken as they stand.
    const position = (each: string) => encodeTime(floorMs + decodeTime(each.slice(0, 3))) + each.slice(3);
    return new Cursor(floor, new Set(sent.map(position)));
  }

  /** From where on to read. */
  get floor(): string {
    return this.#floor;
  }

  has(position: string): boolean {
    return this.#sent.has(position);
  }

  /**
   * Of an entry that is looked at, after all that stand before it: it is sent, or no signal.
   * @param settledMs before which nothing will appear any more
   */
  add(position: string, settledMs: number): void {
    this.#sent.add(position);
    const settled = placeAt(settledMs);
    this.#raise(position < settled ? position : settled);
  }

  /** Everything that stands before this is sent. */
  settle(settledMs: number): void {
    this.#raise(placeAt(settledMs));
  }

  #raise(floor: string): void {
    if (floor <= this.#floor) return;
    this.#floor = floor;
    for (const position of this.#sent) if (position < floor) this.#sent.delete(position);
  }

  toString(): string {
    const floorMs = decodeTime(this.#floor);
    const behind = (position: string) => decodeTime(position) - floorMs;
    return (
      this.#floor +
      [...this.#sent]
        .filter(position => behind(position) <= FURTHEST_OFFSET_MS)
        .sort()
        .slice(-SENT_LIMIT)
        .map(position => encodeTime(behind(position)).slice(OFFSET_START) + sequenceOf(position))
        .join('')
    );
  }
}
