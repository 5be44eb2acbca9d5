/**
 * A change of what is stored, made on line: by a schedule, in steps, while all functions run. A version that registers
 * one reads both forms and writes the new one, so that a step has only what was stored before; the next version may
 * drop the old form.
 */
import type { TableAccess } from '#shared/storage/dynamodb/tableAccess.ts';

export interface Migration {
  /** Its place in the order: one more than that of the one before. Never used again. */
  number: number;
  /** A few words, as in `split-names-of-users`. */
  name: string;
  /** Domains that its steps read and write. */
  writes: NonNullable<TableAccess['writes']>;
  /**
   * Migrates a bounded number of items, within a few seconds, by conditional writes: others write at the same time, and
   * a step that was interrupted is repeated from the same cursor.
   * @param cursor that the last step returned; undefined at first
   * @returns `next`, the cursor of the next step; undefined when nothing is left
   */
  step(cursor: string | undefined): Promise<{ next?: string | undefined; changed: number }>;
}
