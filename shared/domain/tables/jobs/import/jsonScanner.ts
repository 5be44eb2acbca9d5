/**
 * Finds the records in a JSON file: elements of an array, of the array `rows` in an object (as exported), or
 * consecutive values, as in JSON Lines. Records are parsed later.
 */
import { JobFailure } from '#shared/domain/tables/jobs/jobRun.ts';
import { RECORD_BYTES, RECOVERIES, type ScannedRecord, type Scanner, TOO_LONG } from './importRecords.ts';

const LF = 10;
const QUOTE = 34;
const BACKSLASH = 92;
const COMMA = 44;
const COLON = 58;
const [OPEN_ARRAY, CLOSE_ARRAY, OPEN_OBJECT, CLOSE_OBJECT] = [91, 93, 123, 125];
const isSpace = (byte: number) => byte === 32 || byte === LF || byte === 13 || byte === 9;

const ROWS = 'rows';
const KEY_BYTES = 16;
const NOT_CLOSED = 'The row is not valid JSON: a quote or bracket is not closed.';

type Mode = 'start' | 'array' | 'values' | 'object' | 'done';

export class JsonScanner implements Scanner {
  #mode: Mode = 'start';
  readonly #isRow: boolean;
  #buffer: Buffer = Buffer.alloc(0);
  #start = -1;
  #at = 0;
  #line = 1;
  #startLine = 1;
  #firstBreak = -1;
  #depth = 0;
  #isInText = false;
  #isEscaped = false;
  #isLong = false;
  /** In the object that contains `rows`: the bytes of the last string, and the key of the next value. */
  #text: number[] = [];
  #key = '';
  #recoveries = 0;
  /** Each value has its own line, as the first one does. A broken record then ends with its line. */
  #hasLines: boolean | undefined;

  constructor(isRow: boolean) {
    this.#isRow = isRow;
  }

  *scan(chunk: Buffer | undefined): Generator<ScannedRecord> {
    this.#take(chunk);
    for (;;) {
      while (this.#at < this.#buffer.length) {
        this.#passText();
        if (this.#at === this.#buffer.length) break;
        const piece = this.#step(this.#buffer[this.#at]!);
        if (piece) yield piece;
      }
      if (chunk) return;
      const last = this.#endFile();
      if (!last) return;
      yield last;
    }
  }

  #take(chunk: Buffer | undefined): void {
    if (!chunk) return;
    if (this.#start < 0) {
      this.#buffer = chunk;
      this.#at = 0;
      return;
    }
    const open = this.#buffer.subarray(this.#start);
    this.#buffer = open.length > 0 ? Buffer.concat([open, chunk]) : chunk;
    this.#at -= this.#start;
    if (this.#firstBreak >= 0) this.#firstBreak -= this.#start;
    this.#start = 0;
  }

  #passText(): void {
    if (!this.#isInText || this.#isEscaped || this.#start < 0) return;
    const buffer = this.#buffer;
    const end = this.#isLong ? buffer.length : Math.min(buffer.length, this.#start + RECORD_BYTES);
    let at = this.#at;
    while (at < end && buffer[at] !== QUOTE && buffer[at] !== BACKSLASH && buffer[at] !== LF) at++;
    this.#at = Math.max(at, this.#at);
    if (this.#isLong) this.#start = this.#at;
  }

  #step(byte: number): ScannedRecord | undefined {
    if (this.#mode === 'array' || this.#mode === 'values') return this.#stepInRows(byte);
    this.#at++;
    if (byte === LF) this.#line++;
    if (this.#mode === 'object') this.#stepInObject(byte);
    else if (this.#mode === 'start' && !isSpace(byte)) this.#begin(byte);
    return undefined;
  }

  #begin(byte: number): void {
    if (byte === OPEN_ARRAY) this.#mode = 'array';
    else if (byte !== OPEN_OBJECT) throw new JobFailure('The file is not JSON: it starts with neither [ nor {.');
    else if (this.#isRow) {
      this.#mode = 'values';
      this.#at--;
    } else {
      this.#mode = 'object';
      this.#depth = 1;
    }
  }

  #stepInObject(byte: number): void {
    if (this.#isInText) {
      if (this.#isEscaped) this.#isEscaped = false;
      else if (byte === BACKSLASH) this.#isEscaped = true;
      else if (byte === QUOTE) {
        this.#isInText = false;
        return;
      }
      if (this.#text.length < KEY_BYTES) this.#text.push(byte);
      return;
    }
    if (byte === QUOTE) {
      this.#isInText = true;
      this.#text = [];
    } else if (byte === COLON && this.#depth === 1) this.#key = String.fromCharCode(...this.#text);
    else if (byte === COMMA && this.#depth === 1) this.#key = '';
    else if (byte === OPEN_ARRAY && this.#depth === 1 && this.#key === ROWS) {
      this.#mode = 'array';
      this.#depth = 0;
    } else if (byte === OPEN_ARRAY || byte === OPEN_OBJECT) this.#depth++;
    else if (byte === CLOSE_ARRAY || byte === CLOSE_OBJECT) this.#depth--;
    if (this.#depth === 0 && this.#mode === 'object') throw noRows();
  }

  #stepInRows(byte: number): ScannedRecord | undefined {
    const at = this.#at++;
    const isOpen = this.#start >= 0;
    if (byte === LF) {
      this.#line++;
      if (isOpen && this.#firstBreak < 0) this.#firstBreak = at;
    }
    if (isOpen && !this.#isLong && at - this.#start >= RECORD_BYTES) return this.#endLong();
    if (this.#isLong) this.#start = at;
    if (this.#isInText) return this.#stepInText(byte);
    if (isOpen) return this.#stepInRecord(byte, at);
    if (isSpace(byte) || byte === COMMA) return undefined;
    if (byte === CLOSE_ARRAY && this.#mode === 'array') {
      this.#mode = 'done';
      return undefined;
    }
    this.#start = at;
    this.#startLine = this.#line;
    return this.#stepInRecord(byte, at);
  }

  #stepInText(byte: number): ScannedRecord | undefined {
    if (this.#isEscaped) this.#isEscaped = false;
    else if (byte === BACKSLASH) this.#isEscaped = true;
    else if (byte === QUOTE) this.#isInText = false;
    // A JSON string cannot contain a line break: a quote is missing, or the break is not escaped.
    return byte === LF && this.#mode === 'values' ? this.#endBroken() : undefined;
  }

  #stepInRecord(byte: number, at: number): ScannedRecord | undefined {
    if (byte === LF && this.#hasLines && this.#depth > 0) return this.#endBroken();
    if (byte === QUOTE) this.#isInText = true;
    else if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) this.#depth++;
    else if (byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) {
      if (this.#depth > 0) {
        if (--this.#depth === 0) return this.#endRecord(at + 1);
      } else if (this.#mode === 'array' && byte === CLOSE_ARRAY) {
        this.#mode = 'done';
        return this.#endRecord(at);
      }
    } else if (this.#depth === 0 && (byte === COMMA || isSpace(byte))) return this.#endRecord(at);
    else if (this.#isLong && byte === LF && this.#mode === 'values') return this.#endRecord(at);
    return undefined;
  }

  #endRecord(end: number): ScannedRecord | undefined {
    const piece = this.#isLong ? undefined : { line: this.#startLine, bytes: this.#buffer.subarray(this.#start, end) };
    this.#close();
    return piece;
  }

  #endBroken(): ScannedRecord | undefined {
    const piece = this.#isLong ? undefined : { line: this.#startLine, fault: NOT_CLOSED };
    this.#close();
    return piece;
  }

  #close(): void {
    if (this.#mode === 'values') this.#hasLines ??= this.#firstBreak < 0 || this.#firstBreak === this.#at - 1;
    this.#start = -1;
    this.#firstBreak = -1;
    this.#depth = 0;
    this.#isInText = false;
    this.#isEscaped = false;
    this.#isLong = false;
  }

  /** Skips an overlong record to its end. Among consecutive values, only its first line may be broken. */
  #endLong(): ScannedRecord {
    if (this.#mode === 'values' && this.#firstBreak >= 0) return this.#recover();
    this.#isLong = true;
    this.#at--;
    if (this.#buffer[this.#at] === LF) this.#line--;
    this.#start = this.#at;
    return { line: this.#startLine, fault: TOO_LONG };
  }

  #recover(): ScannedRecord {
    if (++this.#recoveries > RECOVERIES) {
      throw new JobFailure(`The file has too many unclosed rows. Reading stopped at line ${this.#startLine}.`);
    }
    const line = this.#startLine;
    this.#at = this.#firstBreak + 1;
    this.#line = line + 1;
    this.#close();
    return { line, fault: NOT_CLOSED };
  }

  #endFile(): ScannedRecord | undefined {
    if (this.#mode === 'start') throw new JobFailure('The file is empty.');
    if (this.#mode === 'object') throw noRows();
    if (this.#mode === 'done') return undefined;
    if (this.#mode === 'array') {
      this.#mode = 'done';
      return { line: this.#line, fault: 'The file ends within its array of rows.' };
    }
    if (this.#start < 0) return undefined;
    if (this.#depth === 0 && !this.#isInText) return this.#endRecord(this.#buffer.length);
    return this.#firstBreak >= 0 && !this.#isLong ? this.#recover() : this.#endBroken();
  }
}

const noRows = () =>
  new JobFailure('The JSON file has no array of rows. It must be an array, or an object with an array `rows`.');

export const firstKeyOf = (head: string): string | undefined => /^\s*\{\s*"((?:[^"\\]|\\.)*)"\s*:/.exec(head)?.[1];
