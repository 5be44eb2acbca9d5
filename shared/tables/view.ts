/** Tables and rows as the interface shows them. */
import * as z from 'zod/mini';
import { trusted } from '#shared/api/verbatim.ts';
import { dateTime, iso } from '#shared/api/views.ts';
import type { Column } from '#shared/dynamodb/tables/column.ts';
import type { Row } from '#shared/dynamodb/tables/row.ts';
import { keyColumnOf, type Table } from '#shared/dynamodb/tables/tables.ts';
import type { RowNote, RowsOutcome } from './rows/outcome.ts';
import { decodeRow, type Values } from './rows/values.ts';
import { viewSchema } from './schema/columns.ts';

export const TableView = z.object({
  id: z.string(),
  name: z.string(),
  factor: z.number(),
  frozen: z.boolean(),
  keyColumn: z.nullable(z.string()),
  schema: trusted(z.looseObject({ type: z.literal('object'), properties: z.record(z.string(), z.any()) })),
  tags: z.record(z.string(), z.string()),
  isComputeEnabled: z.boolean(),
  createdAt: dateTime(),
  updatedAt: dateTime(),
});

export const viewTable = (table: Table): z.infer<typeof TableView> => ({
  id: table.id,
  name: table.name,
  factor: table.factor,
  frozen: table.isFrozen,
  keyColumn: keyColumnOf(table)?.name ?? null,
  schema: viewSchema(table.columns) as z.infer<typeof TableView>['schema'],
  tags: table.tags,
  isComputeEnabled: table.isComputeEnabled,
  createdAt: iso(table.createdAtMs),
  updatedAt: iso(table.updatedAtMs),
});

const CellView = z.object({
  status: z.string(),
  error: z.optional(z.string()),
  updatedBy: z.optional(z.string()),
  updatedAt: z.optional(dateTime()),
});

/** A row: what every row has, and its columns beside it. */
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

/** The names of columns that wait: for a computed value, or to be found by a search. */
const staleColumns = ({ columns }: Table, row: Row): string[] =>
  columns
    .filter(({ id, searchable }) => row.pending.includes(id) || (searchable && row.isUnindexed))
    .map(({ name }) => name);

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

/** What every row has, whatever is selected of it. */
const viewSystem = (table: Table, row: Row) => ({
  id: row.id,
  createdAt: iso(row.createdAtMs),
  updatedAt: iso(row.updatedAtMs),
  computed: viewCells(table.columns, row),
  stale: staleColumns(table, row),
});

/** @param pick what of its values is shown; all of them when left out @param similarity to what was searched for */
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

/** What there is to say of rows that were given. */
const notes = { warnings: z.optional(z.array(z.string())), errors: z.optional(z.array(z.string())) };
export const viewNotes = ({ warnings, errors }: Pick<RowsOutcome, 'warnings' | 'errors'>) => ({
  ...(warnings.length > 0 ? { warnings: textsOf(warnings) } : {}),
  ...(errors.length > 0 ? { errors: textsOf(errors) } : {}),
});
const textsOf = (given: readonly RowNote[]) =>
  given.toSorted((a, b) => a.index - b.index).map(({ index, text }) => `rows[${index}]: ${text}`);

export const RowsView = z.object({ rows: z.array(RowView), ...notes });
export const viewOutcome = (table: Table, outcome: RowsOutcome): z.infer<typeof RowsView> => ({
  rows: outcome.rows.map(row => viewRow(table, row)),
  ...viewNotes(outcome),
});

/** A row that was found, or a group of them. */
export const FoundRow = trusted(z.looseObject({}));
