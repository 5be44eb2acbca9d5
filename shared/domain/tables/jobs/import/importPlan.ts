import * as z from 'zod/mini';
import type { Table } from '#shared/storage/dynamodb/tables/tables.ts';

/** The file as it was when the job was created. */
const ImportedFile = z.object({ object: z.string(), size: z.number(), key: z.string(), contentType: z.string() });
export type ImportedFile = z.infer<typeof ImportedFile>;

/** The errors found so far: see `errorLines.ts`. */
const ErrorState = z.object({
  /** The number of lines in all. */
  lines: z.number(),
  /** The objects that hold the earlier lines. */
  pieces: z.array(z.string()),
  /** The latest lines. */
  text: z.string(),
});
export type ErrorState = z.infer<typeof ErrorState>;
const NO_ERRORS: ErrorState = { lines: 0, pieces: [], text: '' };

/** The import a job does, and how far it got. */
export const ImportPlan = z.object({
  file: ImportedFile,
  tableName: z.string(),
  /** Ids and names, as when the job was created. */
  columns: z.array(z.tuple([z.string(), z.string()])),
  /** The number of records done. */
  records: z.number(),
  /** The chunk being written: its number of records, and the last of the ids reserved for them. */
  open: z.optional(z.object({ count: z.number(), lastId: z.number() })),
  errors: ErrorState,
  /** Warnings about unknown columns that have been reported. */
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
