export interface ScannedRecord {
  /** The line it starts in, from 1. */
  line: number;
  bytes?: Buffer;
  fault?: string;
}

/**
 * Finds the records in a stream of bytes, independently of its chunks, so a later run can skip processed records.
 * Reports broken records and resumes after them.
 */
export interface Scanner {
  /** @param chunk undefined at the end @throws JobFailure if the rest is unreadable */
  scan(chunk: Buffer | undefined): Iterable<ScannedRecord>;
}

/** Far larger than any valid row. */
export const RECORD_BYTES = 1024 * 1024;
export const TOO_LONG = `The row is longer than ${RECORD_BYTES} bytes.`;
/** Maximum number of records without an end. After each, scanning resumes after its first line. */
export const RECOVERIES = 200;

export type ParsedRecord = { values: Record<string, unknown> } | { fault: string };
export const NOT_UTF8 = 'The row is not UTF-8.';
