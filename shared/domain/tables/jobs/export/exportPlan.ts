import * as z from 'zod/mini';

export const EXPORT_FORMATS = ['csv', 'json'] as const;

/** The export a job writes, and how far it got. */
export const ExportPlan = z.object({
  format: z.enum(EXPORT_FORMATS),
  isCompressed: z.boolean(),
  /** CSV with texts that a spreadsheet would run as formulas. */
  isRaw: z.boolean(),
  /** The last row id when the job was created. */
  lastId: z.number(),
  /** The file to write, chosen by the first run. */
  target: z.optional(z.object({ key: z.string(), object: z.string() })),
  /** The upload, once the first part is written. */
  begun: z.optional(
    z.object({
      uploadId: z.string(),
      /** Ids and names, as in the first part. */
      columns: z.array(z.tuple([z.string(), z.string()])),
      parts: z.array(z.object({ number: z.number(), etag: z.string(), size: z.number() })),
      /** The id of the last row in the parts. */
      after: z.number(),
      /** All parts are uploaded. */
      isWhole: z.boolean(),
    }),
  ),
});
export type ExportPlan = z.infer<typeof ExportPlan>;

export const exportPlan = (given: Pick<ExportPlan, 'format' | 'isCompressed' | 'isRaw' | 'lastId'>): ExportPlan =>
  given;
