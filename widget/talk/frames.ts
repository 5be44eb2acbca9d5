/** Parses server-sent events from chunks. `EventSource` cannot send the header with the user key. */

export interface Frame {
  /** The position to resume from. */
  id?: string;
  data?: string;
  /** The server's reconnection delay. */
  retryMs?: number;
}

/** Messages are limited to 1 MB, so longer text is not a frame. */
const MAX_FRAME_LENGTH = 8_000_000;
const LINE_END = /\r\n|\n|\r/;

export class FrameReader {
  #lines: string[] = [];
  #rest = '';

  /** Parses the next chunk and returns completed frames, without comments. @throws Error for an endless frame */
  read(text: string): Frame[] {
    const pending = this.#rest + text;
    // A chunk may end within CRLF.
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
    if (this.#rest.length > MAX_FRAME_LENGTH) throw new Error('The stream sent an unterminated frame.');
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
