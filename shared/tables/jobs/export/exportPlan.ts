/** What is to be written into a file, and how far that is. */
import * as z from 'zod/mini';

export const EXPORT_FORMATS = ['csv', 'json'] as const;

export const ExportPlan = z.object({
  format: z.enum(EXPORT_FORMATS),
  isCompressed: z.boolean(),
  /** The last row's id when it was asked for. */
  lastId: z.number(),
  /** The file's, since the first run said so. */
  target: z.optional(z.object({ key: z.string(), object: z.string() })),
  /** What is written, since the first part is. */
  begun: z.optional(
    z.object({
      uploadId: z.string(),
      /** By id and name, as the first part has them. */
      columns: z.array(z.tuple([z.string(), z.string()])),
      parts: z.array(z.object({ number: z.number(), etag: z.string(), size: z.number() })),
      /** The id of the last row in them. */
      after: z.number(),
      /** There are no more parts. */
      isWhole: z.boolean(),
    }),
  ),
});
export type ExportPlan = z.infer<typeof ExportPlan>;

/** What a new job begins with. */
export const exportPlan = (given: Pick<ExportPlan, 'format' | 'isCompressed' | 'lastId'>): ExportPlan => given;
