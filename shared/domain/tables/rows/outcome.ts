/** The outcome of writing several rows, each on its own: an invalid row is reported, and the others are written. */
import type { Call } from '#shared/api/operation.ts';
import { PatternTests } from '#shared/core/patterns.ts';
import type { Bot } from '#shared/storage/dynamodb/bots/bots.ts';
import type { Row } from '#shared/storage/dynamodb/tables/row.ts';
import type { Table } from '#shared/storage/dynamodb/tables/tables.ts';
import { checkRow } from './checkRow.ts';

export type RowInput = Record<string, unknown>;

/** The table whose rows are written, and the bot whose quota they count against. */
export interface TableContext {
  bot: Pick<Bot, 'id' | 'workspaceId'>;
  table: Table;
  nowMs: number;
  /** Present in a call that may be repeated. */
  keepOnce?: Call['keepOnce'];
}

export interface RowNote {
  /** The index of the row in the input. */
  index: number;
  text: string;
}

export interface RowsOutcome {
  /** The rows that were written. */
  rows: Row[];
  warnings: RowNote[];
  errors: RowNote[];
  patternTests: PatternTests;
}

export const emptyOutcome = (): RowsOutcome => ({
  rows: [],
  warnings: [],
  errors: [],
  patternTests: new PatternTests(),
});

export interface CheckedRow {
  /** The index of the row in the input. */
  index: number;
  /** Encoded values by column id; null removes the value. */
  set: Record<string, string | null>;
}

/** Checks a row. An invalid row is reported and left out. */
export function checkInput(
  table: Table,
  { index, input, isNew }: { index: number; input: RowInput; isNew: boolean },
  outcome: RowsOutcome,
): CheckedRow[] {
  const { set, warnings, errors } = checkRow(table.columns, input, { isNew, patternTests: outcome.patternTests });
  outcome.warnings.push(...warnings.map(text => ({ index, text })));
  outcome.errors.push(...errors.map(text => ({ index, text })));
  return errors.length > 0 ? [] : [{ index, set }];
}
