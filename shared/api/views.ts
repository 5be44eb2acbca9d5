/** Building blocks of the answers of several groups. */
import * as z from 'zod/mini';

export const iso = (ms: number) => new Date(ms).toISOString();
export const dateTime = () => z.iso.datetime();
export const meta = z.object({ nextToken: z.optional(z.string()) });

/** Cuts a page from up to `pageSize + 1` records. @returns `last`, the page's last record, when another page follows */
export const pageOf = <T>(records: readonly T[], pageSize: number) => ({
  records: records.slice(0, pageSize),
  last: records.length > pageSize ? records[pageSize - 1] : undefined,
});
