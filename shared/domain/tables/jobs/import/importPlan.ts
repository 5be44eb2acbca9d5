import * as z from 'zod/mini';
import type { Table } from '#shared/storage/dynamodb/tables/tables.ts';

const ImportedFile = z.object({ object: z.string(), size: z.number(), key: z.string(), contentType: z.string() });
export type ImportedFile = z.infer<typeof ImportedFile>;

const ErrorState = z.object({
  lines: z.number(),
  pieces: z.array(z.string()),
  text: z.string(),
});
export type ErrorState = z.infer<typeof ErrorState>;
const NO_ERRORS: ErrorState = { lines: 0, pieces: [], text: '' };

export const ImportPlan = z.object({
  file: ImportedFile,
  tableName: z.string(),
  columns: z.array(z.tuple([z.string(), z.string()])),
  records: z.number(),
  /** The chunk being written: its number of records and the last reserved id. */
  open: z.optional(z.object({ count: z.number(), lastId: z.number() })),
  errors: ErrorState,
  /** Warnings about unknown columns that are already reported. */
  unknown: z.array(z.string()),
});
export type ImportPlan = z.infer<typeof ImportPlan>;

export const importPlan = (file: ImportedFile, table: Table): ImportPlan => ({
  file,
  tableName: table.name,
  columns: table.columns.map(({ id, name }) => [id, name]),
  records: 0,
  errors: NO_ERRORS,
  unknown: [],
});
