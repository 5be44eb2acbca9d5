/** What rows that were given become, each by itself: what is wrong with one is told, and the others are written. */
import type { Call } from '#shared/api/operation.ts';
import type { Row } from '#shared/dynamodb/tables/row.ts';
import type { Table } from '#shared/dynamodb/tables/tables.ts';
import type { Bot } from '#shared/dynamodb/workspace/bots.ts';
import { checkRow } from './values.ts';

export type RowInput = Record<string, unknown>;

/** Where rows are written, and on whose account. */
export interface TableContext {
  bot: Pick<Bot, 'id' | 'workspaceId'>;
  table: Table;
  nowMs: number;
  /** Of a call that may be repeated. */
  keepOnce?: Call['keepOnce'];
}

/** What there is to say of a row. */
export interface RowNote {
  /** Of the row among those that were given. */
  index: number;
  text: string;
}

/** What became of rows: those that were written, and what there is to say of the others. */
export interface RowsOutcome {
  rows: Row[];
  warnings: RowNote[];
  errors: RowNote[];
}

export const emptyOutcome = (): RowsOutcome => ({ rows: [], warnings: [], errors: [] });

/** What is to become of a row: its values by the id of their column, and which of those that were given it is. */
export interface CheckedRow {
  index: number;
  set: Record<string, string | null>;
}

/** Checks a row; what is wrong with it is told, and it is left out. */
export function checkInput(
  table: Table,
  { index, input, isNew }: { index: number; input: RowInput; isNew: boolean },
  outcome: RowsOutcome,
): CheckedRow[] {
  const { set, warnings, errors } = checkRow(table.columns, input, { isNew });
  outcome.warnings.push(...warnings.map(text => ({ index, text })));
  outcome.errors.push(...errors.map(text => ({ index, text })));
  return errors.length > 0 ? [] : [{ index, set }];
}
