/** Outcome of writing rows independently: invalid rows are reported, and all other rows are written. */
import type { Call } from '#shared/api/operation.ts';
import { PatternTests } from '#shared/core/patterns.ts';
import type { Bot } from '#shared/storage/dynamodb/bots/bots.ts';
import type { Row } from '#shared/storage/dynamodb/tables/row.ts';
import type { Table } from '#shared/storage/dynamodb/tables/tables.ts';
import { checkRow } from './checkRow.ts';

export type RowInput = Record<string, unknown>;

export interface TableContext {
  bot: Pick<Bot, 'id' | 'workspaceId'>;
  table: Table;
  nowMs: number;
  keepOnce?: Call['keepOnce'];
}

export interface RowNote {
  index: number;
  text: string;
}

export interface RowsOutcome {
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
  index: number;
  set: Record<string, string | null>;
}

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
