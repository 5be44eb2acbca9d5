import * as z from 'zod/mini';
import { tagChanges, tags } from '#shared/api/platform/tagInputs.ts';
import { verbatim } from '#shared/api/verbatim.ts';
import { text } from '#shared/core/text.ts';

export const ROWS_LIMIT = 1_000;
export const TABLE_NAME_LENGTH = 35;
const COLUMN_LENGTH = 30;

/** Accepts any string. Name rules apply only when a table is named (`tableName.ts`). */
export const tableName = () => text(TABLE_NAME_LENGTH);
export const columnName = () => text(COLUMN_LENGTH).check(z.minLength(1));
export const factor = () => z.int().check(z.minimum(1), z.maximum(30));
export const schema = () => verbatim(z.record(z.string(), z.any()));

export const tableFields = {
  factor: z.optional(factor()),
  frozen: z.optional(z.boolean()),
  keyColumn: z.optional(z.nullable(columnName())),
  schema: schema(),
  tags: z.optional(tags()),
  isComputeEnabled: z.optional(z.boolean()),
};
export const tableTagChanges = () => tagChanges();

const row = () => verbatim(z.record(z.string(), z.any()));
const rowsOf = <S extends z.ZodMiniType>(each: S) =>
  z.array(each).check(z.minLength(1, { error: 'Must have at least one row' }), z.maxLength(ROWS_LIMIT));
const rowId = () => z.int().check(z.minimum(1), z.maximum(2 ** 31 - 1));

export const queryRowId = () =>
  z.pipe(
    z.string().check(z.regex(/^\d{1,10}$/, { error: 'Must be an integer' })),
    z.pipe(z.transform(Number), z.number().check(z.maximum(2 ** 31 - 1))),
  );

export const newRows = () => rowsOf(row());
export const changedRows = () => rowsOf(verbatim(z.catchall(z.object({ id: rowId() }), z.any())));
export const upsertedRows = () => rowsOf(verbatim(z.catchall(z.object({ id: z.optional(rowId()) }), z.any())));
export const rowIds = () => z.array(rowId()).check(z.minLength(1), z.maxLength(ROWS_LIMIT));
export const rowFilter = () => verbatim(z.record(z.string(), z.any()));
