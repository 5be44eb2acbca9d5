/** Splits a CSV file (RFC 4180) into records. Quotes are special only at the start of a value. */
import { JobFailure } from '#shared/domain/tables/jobs/jobRun.ts';
import { RECORD_BYTES, RECOVERIES, type ScannedRecord, type Scanner, TOO_LONG } from './importRecords.ts';

const LF = 10;
const CR = 13;
const QUOTE = 34;
const NEVER_CLOSED = 'A value starts with an unclosed quote.';
const BADLY_CLOSED = 'A closing quote is followed by another character.';

const VALUE_START = 0;
const VALUE = 1;
const QUOTED = 2;
const QUOTE_SEEN = 3;
const SKIPPING = 4;

export class CsvScanner implements Scanner {
  readonly #separator: number;
  #buffer: Buffer = Buffer.alloc(0);
  #start = 0;
  #at = 0;
  #line = 1;
  #state = VALUE_START;
  #isBroken = false;
  #isAfterCr = false;
  #recoveries = 0;

  constructor(separator: string) {
    this.#separator = separator.charCodeAt(0);
  }

  *scan(chunk: Buffer | undefined): Generator<ScannedRecord> {
    this.#take(chunk);
    for (;;) {
      const found = this.#advance();
      if (found === 'record') yield* this.#endRecord();
      else if (found === 'long') yield this.#endLong();
      else if (chunk || this.#start >= this.#buffer.length || this.#state === SKIPPING) return;
      else yield* this.#endFile();
    }
  }

  #take(chunk: Buffer | undefined): void {
    if (!chunk) return;
    const open = this.#buffer.subarray(this.#start);
    this.#buffer = open.length > 0 ? Buffer.concat([open, chunk]) : chunk;
    this.#at -= this.#start;
    this.#start = 0;
  }

  #advance(): 'record' | 'long' | 'more' {
    const buffer = this.#buffer;
    if (this.#isAfterCr && this.#at < buffer.length) {
      this.#isAfterCr = false;
      if (buffer[this.#at] === LF) this.#start = ++this.#at;
    }
    if (this.#state === SKIPPING) return this.#skip();
    const separator = this.#separator;
    const longest = this.#start + RECORD_BYTES;
    const end = Math.min(buffer.length, longest);
    let state = this.#state;
    let at = this.#at;
    let found: 'record' | 'long' | 'more' | undefined;
    for (; at < end; at++) {
      if (state === QUOTED) {
        const quote = buffer.indexOf(QUOTE, at);
        at = quote < 0 || quote >= end ? end - 1 : quote;
        if (at === quote) state = QUOTE_SEEN;
        continue;
      }
      const byte = buffer[at]!;
      if (byte === LF || byte === CR) {
        found = 'record';
        break;
      }
      if (byte === separator) state = VALUE_START;
      else if (state === VALUE_START) state = byte === QUOTE ? QUOTED : VALUE;
      else if (state === QUOTE_SEEN) {
        state = byte === QUOTE ? QUOTED : VALUE;
        this.#isBroken ||= byte !== QUOTE;
      }
    }
    this.#state = state;
    this.#at = at;
    return found ?? (at >= longest ? 'long' : 'more');
  }

  #skip(): 'record' | 'more' {
    const buffer = this.#buffer;
    let at = this.#at;
    while (at < buffer.length && buffer[at] !== LF && buffer[at] !== CR) at++;
    this.#start = at;
    this.#at = at;
    return at < buffer.length ? 'record' : 'more';
  }

  #firstBreak(): number {
    const at = this.#buffer.indexOf(LF, this.#start);
    return at < this.#at ? at : -1;
  }

  #breaks(): number {
    let count = 0;
    let at = this.#buffer.indexOf(LF, this.#start);
    while (at >= 0 && at < this.#at) {
      count++;
      at = this.#buffer.indexOf(LF, at + 1);
    }
    return count;
  }

  *#endRecord(): Generator<ScannedRecord> {
    const isSkipped = this.#state === SKIPPING;
    const isBroken = this.#isBroken;
    if (isBroken && this.#firstBreak() >= 0) {
      yield this.#recover(BADLY_CLOSED);
      return;
    }
    const bytes = this.#buffer.subarray(this.#start, this.#at);
    const line = this.#line;
    this.#isAfterCr = this.#buffer[this.#at] === CR;
    this.#beginAt(this.#at + 1, line + this.#breaks() + 1);
    if (isSkipped || bytes.length === 0) return;
    yield isBroken ? { line, fault: BADLY_CLOSED } : { line, bytes };
  }

  /** Skips an overlong record without an open quote to the end of its line. */
  #endLong(): ScannedRecord {
    if (this.#firstBreak() >= 0) return this.#recover(NEVER_CLOSED);
    const line = this.#line;
    this.#beginAt(this.#at, line);
    this.#state = SKIPPING;
    return { line, fault: TOO_LONG };
  }

  *#endFile(): Generator<ScannedRecord> {
    if (this.#state !== QUOTED) {
      yield* this.#endRecord();
    } else if (this.#firstBreak() >= 0) {
      yield this.#recover(NEVER_CLOSED);
    } else {
      yield { line: this.#line, fault: NEVER_CLOSED };
      this.#start = this.#buffer.length;
    }
  }

  /** Reports the first line as broken and resumes after it. */
  #recover(fault: string): ScannedRecord {
    if (++this.#recoveries > RECOVERIES) {
      throw new JobFailure(`The file has too many unclosed quotes. Reading stopped at line ${this.#line}.`);
    }
    const line = this.#line;
    this.#beginAt(this.#firstBreak() + 1, line + 1);
    return { line, fault };
  }

  #beginAt(start: number, line: number): void {
    this.#start = start;
    this.#at = start;
    this.#line = line;
    this.#state = VALUE_START;
    this.#isBroken = false;
  }
}

interface Cell {
  text: string;
  isQuoted: boolean;
}

export function cellsOf(text: string, separator: string): Cell[] {
  const cells: Cell[] = [];
  for (let at = 0; ; ) {
    const isQuoted = text[at] === '"';
    let end: number;
    if (isQuoted) {
      end = at + 1;
      for (;;) {
        end = text.indexOf('"', end);
        if (text[end + 1] !== '"') break;
        end += 2;
      }
      cells.push({ text: text.slice(at + 1, end).replaceAll('""', '"'), isQuoted });
      end++;
    } else {
      end = text.indexOf(separator, at);
      if (end < 0) end = text.length;
      cells.push({ text: text.slice(at, end), isQuoted });
    }
    if (end >= text.length) return cells;
    at = end + 1;
  }
}

const SEPARATORS = [',', ';', '\t'];

export function separatorOf(head: string): string {
  const line = head
    .replace(/"(?:[^"]|"")*"/g, '')
    .trimStart()
    .split(/[\r\n]/, 1)[0]!;
  const counts = SEPARATORS.map(separator => line.split(separator).length);
  return SEPARATORS[counts.indexOf(Math.max(...counts))]!;
}
