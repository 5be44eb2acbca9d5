import * as z from 'zod/mini';

export const EXPORT_FORMATS = ['csv', 'json'] as const;

export const ExportPlan = z.object({
  format: z.enum(EXPORT_FORMATS),
  isCompressed: z.boolean(),
  /** Writes CSV text unescaped, even if a spreadsheet would run it as a formula. */
  isRaw: z.boolean(),
  /** The last row id when the job was created. */
  lastId: z.number(),
  /** The output file, chosen by the first run. */
  target: z.optional(z.object({ key: z.string(), object: z.string() })),
  /** Set once the first part is written. */
  begun: z.optional(
    z.object({
      uploadId: z.string(),
      /** Ids, and the names used in the first part. */
      columns: z.array(z.tuple([z.string(), z.string()])),
      parts: z.array(z.object({ number: z.number(), etag: z.string(), size: z.number() })),
      /** The last row id in the parts. */
      after: z.number(),
      /** True when all parts are uploaded. */
      isWhole: z.boolean(),
    }),
  ),
});
export type ExportPlan = z.infer<typeof ExportPlan>;

export const exportPlan = (given: Pick<ExportPlan, 'format' | 'isCompressed' | 'isRaw' | 'lastId'>): ExportPlan =>
  given;
