/**
 * Server-sent events out of the pieces in which they arrive. `EventSource` cannot send the header with the user's key.
 */

export interface Frame {
  /** The position to resume from. */
  id?: string;
  data?: string;
  /** The pause that the server asks for before a reconnection. */
  retryMs?: number;
}

/** A message has 1 MB at most; whatever is far longer is no frame. */
const LONGEST_FRAME = 8_000_000;
const LINE_END = /\r\n|\n|\r/;

export class FrameReader {
  #lines: string[] = [];
  #rest = '';

  /**
   * @param text the next piece of the stream
   * @returns the frames that it completes; comments make none
   * @throws Error for a frame without an end
   */
  read(text: string): Frame[] {
    const pending = this.#rest + text;
    // The second half of a line's end may still be on its way.
    const held = pending.endsWith('\r') ? 1 : 0;
    const lines = pending.slice(0, pending.length - held).split(LINE_END);
    this.#rest = lines.pop()! + (held ? '\r' : '');
    const frames: Frame[] = [];
    for (const line of lines) {
      if (line !== '') {
        this.#lines.push(line);
        continue;
      }
      const frame = frameOf(this.#lines);
      if (frame) frames.push(frame);
      this.#lines = [];
    }
    if (this.#rest.length > LONGEST_FRAME) throw new Error('The stream sent a frame without an end.');
    return frames;
  }
}

function frameOf(lines: string[]): Frame | undefined {
  const frame: Frame = {};
  const data: string[] = [];
  for (const line of lines) {
    const colon = line.indexOf(':');
    if (colon === 0) continue;
    const name = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '');
    if (name === 'id') frame.id = value;
    if (name === 'data') data.push(value);
    if (name === 'retry' && /^\d+$/.test(value)) frame.retryMs = Number(value);
  }
  if (data.length > 0) frame.data = data.join('\n');
  return Object.keys(frame).length > 0 ? frame : undefined;
}
