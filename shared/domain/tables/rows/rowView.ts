import * as z from 'zod/mini';
import { trusted } from '#shared/api/verbatim.ts';
import { dateTime, iso } from '#shared/api/views.ts';
import { decodeRow, type Values } from '#shared/domain/tables/schema/rowValues.ts';
import type { Column } from '#shared/storage/dynamodb/tables/column.ts';
import type { Row } from '#shared/storage/dynamodb/tables/row.ts';
import type { Table } from '#shared/storage/dynamodb/tables/tables.ts';
import type { RowNote, RowsOutcome } from './outcome.ts';

const CellView = z.object({
  status: z.string(),
  error: z.optional(z.string()),
  updatedBy: z.optional(z.string()),
  updatedAt: z.optional(dateTime()),
});

export const RowView = trusted(
  z.looseObject({
    id: z.number(),
    createdAt: dateTime(),
    updatedAt: dateTime(),
    computed: z.record(z.string(), CellView),
    stale: z.optional(z.array(z.string())),
    similarity: z.optional(z.number()),
  }),
);
export type RowView = z.infer<typeof RowView>;

export const viewRow = (
  table: Table,
  row: Row,
  {
    pick = values => values,
    similarity,
  }: { pick?: ((values: Values) => Values) | undefined; similarity?: number | undefined } = {},
): RowView => ({
  ...pick(decodeRow(table.columns, row.values)),
  ...viewSystem(table, row),
  ...(similarity === undefined ? {} : { similarity }),
});

const viewSystem = (table: Table, row: Row) => ({
  id: row.id,
  createdAt: iso(row.createdAtMs),
  updatedAt: iso(row.updatedAtMs),
  computed: viewCells(table.columns, row),
  stale: staleColumns(table, row),
});

const viewCells = (columns: readonly Column[], { cells }: Row) =>
  Object.fromEntries(
    columns.flatMap(({ id, name }) => {
      const cell = cells[id];
      if (!cell) return [];
      const { status, error, updatedBy, updatedAtMs } = cell;
      return [
        [name, { status, error, updatedBy, updatedAt: updatedAtMs === undefined ? undefined : iso(updatedAtMs) }],
      ];
    }),
  );

const staleColumns = ({ columns }: Table, row: Row): string[] =>
  columns
    .filter(({ id, searchable }) => row.pending.includes(id) || (searchable && row.isUnindexed))
    .map(({ name }) => name);

const notes = { warnings: z.optional(z.array(z.string())), errors: z.optional(z.array(z.string())) };

export const viewNotes = ({ warnings, errors }: Pick<RowsOutcome, 'warnings' | 'errors'>) => ({
  ...(warnings.length > 0 ? { warnings: textsOf(warnings) } : {}),
  ...(errors.length > 0 ? { errors: textsOf(errors) } : {}),
});

const textsOf = (rowNotes: readonly RowNote[]) =>
  rowNotes.toSorted((a, b) => a.index - b.index).map(({ index, text }) => `rows[${index}]: ${text}`);

export const RowsView = z.object({ rows: z.array(RowView), ...notes });

export const viewOutcome = (table: Table, outcome: RowsOutcome): z.infer<typeof RowsView> => ({
  rows: outcome.rows.map(row => viewRow(table, row)),
  ...viewNotes(outcome),
});

export const FoundRow = trusted(z.looseObject({}));
