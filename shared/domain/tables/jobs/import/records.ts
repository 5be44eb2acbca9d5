/** The records of an imported file, before and after they are parsed. */

/** A record found in the file: its bytes, or what is wrong with it. */
export interface ScannedRecord {
  /** The line it starts in, from 1. */
  line: number;
  bytes?: Buffer;
  fault?: string;
}

/**
 * Finds the records in a stream of bytes. The result does not depend on how the bytes are split into chunks, so that a
 * later run can skip the records an earlier one has done. Broken records are reported, and scanning resumes after them.
 */
export interface Scanner {
  /** @param chunk undefined at the end @throws JobFailure when the rest cannot be read */
  scan(chunk: Buffer | undefined): Iterable<ScannedRecord>;
}

/** Far more than any valid row. */
export const RECORD_BYTES = 1024 * 1024;
export const TOO_LONG = `The row is longer than ${RECORD_BYTES} bytes.`;
/** After a record without an end, scanning resumes behind its first line, this many times at most. */
export const RECOVERIES = 200;

/** The values of a record by column name, or what is wrong with it. */
export type ParsedRecord = { values: Record<string, unknown> } | { fault: string };
export const NOT_UTF8 = 'The row is not UTF-8.';
