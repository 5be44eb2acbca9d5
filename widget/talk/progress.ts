/**
 * The received frames of a conversation. Both transports resume from it without a gap, and a tab drops repeated frames.
 *
 * A frame of a WebSocket has the position of its entry as id: seven characters of milliseconds and three of sequence,
 * in base 62. A frame of an event stream has a cursor: a floor, below which all entries were sent, and six characters
 * for each position that was sent above it (`shared/domain/chat/listenCursor.ts`).
 */

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const TIME_LENGTH = 7;
const OFFSET_LENGTH = 3;
const POSITION_LENGTH = 10;
const FURTHEST_OFFSET_MS = ALPHABET.length ** OFFSET_LENGTH - 1;
/** The server repeats frames of this time before a position, because the clocks of writers differ. */
const WINDOW_MS = 5_000;
/** Limit of the server for positions in a cursor. */
const SENT_LIMIT = 240;
const KNOWN_LIMIT = 1_000;
/** Positions do not arrive in order. Resumes before the lowest of these. */
const RECENT = 20;

const decodeTime = (text: string): number => [...text].reduce((sum, each) => sum * 62 + ALPHABET.indexOf(each), 0);

function encodeTime(ms: number, length: number): string {
  let text = '';
  for (let rest = Math.max(0, ms); text.length < length; rest = Math.floor(rest / 62))
    text = ALPHABET[rest % 62] + text;
  return text;
}

const timeOf = (position: string): number => decodeTime(position.slice(0, TIME_LENGTH));
const floorAt = (ms: number): string => encodeTime(ms, TIME_LENGTH) + '0'.repeat(POSITION_LENGTH - TIME_LENGTH);

/** Returns the position in the id of a message: `msg_`, the position, the conversation. */
export const positionIn = (messageId: string): string => messageId.slice(4, 4 + POSITION_LENGTH);

/** Returns the floor of a cursor, and the positions sent above it. */
function parseCursor(cursor: string): { floor: string; sent: string[] } {
  const floor = cursor.slice(0, POSITION_LENGTH);
  const sent = cursor.slice(POSITION_LENGTH).match(/.{6}/g) ?? [];
  return {
    floor,
    sent: sent.map(
      each =>
        encodeTime(timeOf(floor) + decodeTime(each.slice(0, OFFSET_LENGTH)), TIME_LENGTH) + each.slice(OFFSET_LENGTH),
    ),
  };
}

export class Progress {
  /** By arrival. */
  #known = new Set<string>();
  #floor = '';
  /** The cursor of the last frame, if it came from an event stream. */
  #cursor: string | undefined;
  /** True once the messages before the first frame were read. */
  isCaughtUp = false;

  /** True if a connection can resume without a gap. */
  get canResume(): boolean {
    return this.isCaughtUp && this.after !== undefined;
  }

  /** The position from which a WebSocket resumes. */
  get after(): string | undefined {
    if (this.#cursor !== undefined) return this.#floor;
    return [...this.#known].slice(-RECENT).sort()[0];
  }

  /** The `Last-Event-ID` of an event stream. */
  get cursor(): string | undefined {
    const { after } = this;
    if (this.#cursor !== undefined || after === undefined) return this.#cursor;
    const floor = floorAt(timeOf(after) - WINDOW_MS);
    const offsetOf = (position: string) => timeOf(position) - timeOf(floor);
    const sent = [...this.#known]
      .filter(position => position >= floor && offsetOf(position) <= FURTHEST_OFFSET_MS)
      .sort()
      .slice(-SENT_LIMIT)
      .map(position => encodeTime(offsetOf(position), OFFSET_LENGTH) + position.slice(TIME_LENGTH));
    return floor + sent.join('');
  }

  /** @param isMissed true for a frame that the server sends before it is `ready` */
  has(position: string, isMissed = false): boolean {
    return this.#known.has(position) || (isMissed && position < this.#floor);
  }

  /** Adds a frame. Returns false for a repeated one. */
  takePosition(position: string, isMissed = false): boolean {
    if (this.has(position, isMissed)) return false;
    this.#cursor = undefined;
    this.#know([position]);
    return true;
  }

  /** Adds a frame. Returns false for a repeated one. */
  takeCursor(cursor: string): boolean {
    const { floor, sent } = parseCursor(cursor);
    const isNew = sent.length === 0 || sent.some(position => !this.#known.has(position));
    if (isNew || this.#cursor !== undefined) {
      this.#cursor = cursor;
      this.#floor = floor;
    }
    this.#know(sent);
    return isNew;
  }

  /** The next connection does not resume. */
  forget(): void {
    this.isCaughtUp = false;
    this.#known.clear();
    this.#floor = '';
    this.#cursor = undefined;
  }

  #know(positions: readonly string[]): void {
    for (const position of positions) this.#known.add(position);
    for (const position of this.#known) {
      if (this.#known.size <= KNOWN_LIMIT) break;
      this.#known.delete(position);
    }
  }
}
