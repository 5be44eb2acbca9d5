import * as z from 'zod/mini';

export const iso = (ms: number) => new Date(ms).toISOString();
export const dateTime = () => z.iso.datetime();
export const meta = z.object({ nextToken: z.optional(z.string()) });

/** Returns a page of up to `pageSize + 1` records, and its `last` when another page follows. */
export const pageOf = <T>(records: readonly T[], pageSize: number) => ({
  records: records.slice(0, pageSize),
  last: records.length > pageSize ? records[pageSize - 1] : undefined,
});
