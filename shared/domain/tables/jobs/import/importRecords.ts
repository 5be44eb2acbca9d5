import { InexactJsonError } from '#shared/core/parseExactly.ts';

export interface ScannedRecord {
  line: number;
  bytes?: Buffer;
  fault?: string;
}

/** Must not depend on how the bytes are chunked: a later run skips the records already processed. */
export interface Scanner {
  scan(chunk: Buffer | undefined): Iterable<ScannedRecord>;
}

export const RECORD_BYTES = 1024 * 1024;
export const TOO_LONG = `The row is longer than ${RECORD_BYTES} bytes.`;
/** Maximum number of unterminated records. Scanning resumes after the first line of each. */
export const RECOVERIES = 200;

export type ParsedRecord = { values: Record<string, unknown> } | { fault: string };
export const NOT_UTF8 = 'The row is not UTF-8.';

export interface ImportRecord {
  line: number;
  bytes: number;
  read(): ParsedRecord;
}

/** Returns the message for a row with a value that parsing would change, or undefined for other errors. */
export const faultIn = (error: unknown) =>
  error instanceof InexactJsonError ? `${error.path}: ${error.message}` : undefined;
