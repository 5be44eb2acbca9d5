/**
 * Online migration, run in steps while all functions run. The version that registers it reads both forms and writes the
 * new one. The next version may drop the old form.
 */
import type { TableAccess } from '#shared/storage/dynamodb/engine/tableAccess.ts';

export interface Migration {
  /** Position in the order, starting at 1. Never reused. */
  number: number;
  /** Slug, such as `split-names-of-users`. */
  name: string;
  reads?: NonNullable<TableAccess['reads']>;
  writes: NonNullable<TableAccess['writes']>;
  /** Finds records of all tenants through their lists. */
  scansLists?: true;
  /** Migrates a few seconds' worth of items. Writes must be conditional: an interrupted step is repeated. */
  step(cursor: string | undefined): Promise<{ next?: string | undefined; changed: number }>;
}
