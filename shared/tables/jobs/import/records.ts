/** What stands in a file that is imported, record by record. */

/** One record as it stands there. */
export interface ScannedRecord {
  /** Of its beginning, from 1. */
  line: number;
  /** Undefined for one that is broken. */
  bytes?: Buffer;
  /** What is wrong with it. */
  fault?: string;
}

/**
 * Finds the records in bytes that come in any portions: what it finds does not depend on these, so that a file can be read
 * again up to where it was left. Broken records are found as well as they can be told from what follows.
 */
export interface Scanner {
  /** @param chunk undefined at the end @throws JobFailure when the rest cannot be read */
  scan(chunk: Buffer | undefined): Iterable<ScannedRecord>;
}

/** No row is nearly as large. */
export const RECORD_BYTES = 1024 * 1024;
export const TOO_LONG = `The row is longer than ${RECORD_BYTES} bytes.`;
/** After a record that has no end its first line is left out, and reading goes on behind it: not for ever. */
export const RECOVERIES = 200;

/** The values of a record by the names of columns, or what is wrong with it. */
export type ParsedRecord = { values: Record<string, unknown> } | { fault: string };
export const NOT_UTF8 = 'The row is not UTF-8.';
