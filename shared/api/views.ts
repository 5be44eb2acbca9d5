/** What the interfaces show alike. */
import * as z from 'zod/mini';

export const iso = (ms: number) => new Date(ms).toISOString();
export const dateTime = () => z.iso.datetime();
export const meta = z.object({ nextToken: z.optional(z.string()) });

/** A page out of one record more than fits: that one tells whether there is another page. */
export const pageOf = <T>(records: readonly T[], pageSize: number) => ({
  records: records.slice(0, pageSize),
  last: records.length > pageSize ? records[pageSize - 1] : undefined,
});
