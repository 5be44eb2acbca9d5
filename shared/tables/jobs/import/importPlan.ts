/** What of a file is to be added to a table, and how far that is. */
import * as z from 'zod/mini';
import type { Table } from '#shared/dynamodb/tables/tables.ts';

/** The file, as it was when the job was begun. */
const ImportedFile = z.object({ object: z.string(), size: z.number(), key: z.string(), contentType: z.string() });
export type ImportedFile = z.infer<typeof ImportedFile>;

/** What was found wrong with rows: see `errorLines.ts`. */
const ErrorState = z.object({
  /** How many lines there are, in all. */
  lines: z.number(),
  /** Objects, each with many of them. */
  pieces: z.array(z.string()),
  /** Those after. */
  text: z.string(),
});
export type ErrorState = z.infer<typeof ErrorState>;
const NO_ERRORS: ErrorState = { lines: 0, pieces: [], text: '' };

export const ImportPlan = z.object({
  file: ImportedFile,
  tableName: z.string(),
  /** By id and name, as the table had them when the job was asked for. */
  columns: z.array(z.tuple([z.string(), z.string()])),
  /** How many records of the file are done. */
  records: z.number(),
  /** Those after, whose rows are being written: how many, and the last of the ids that are kept for them. */
  open: z.optional(z.object({ count: z.number(), lastId: z.number() })),
  errors: ErrorState,
  /** Names in the file that are of no column, as far as they were told. */
  unknown: z.array(z.string()),
});
export type ImportPlan = z.infer<typeof ImportPlan>;

/** What a new job begins with. */
export const importPlan = (file: ImportedFile, table: Table): ImportPlan => ({
  file,
  tableName: table.name,
  columns: table.columns.map(({ id, name }) => [id, name]),
  records: 0,
  errors: NO_ERRORS,
  unknown: [],
});
