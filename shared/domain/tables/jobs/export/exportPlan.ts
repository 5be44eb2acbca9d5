import * as z from 'zod/mini';

export const EXPORT_FORMATS = ['csv', 'json'] as const;

export const ExportPlan = z.object({
  format: z.enum(EXPORT_FORMATS),
  isCompressed: z.boolean(),
  /** Disables the escaping of spreadsheet formulas in CSV. */
  isRaw: z.boolean(),
  lastId: z.number(),
  target: z.optional(z.object({ key: z.string(), object: z.string() })),
  begun: z.optional(
    z.object({
      uploadId: z.string(),
      columns: z.array(z.tuple([z.string(), z.string()])),
      parts: z.array(z.object({ number: z.number(), etag: z.string(), size: z.number() })),
      after: z.number(),
      isWhole: z.boolean(),
    }),
  ),
});
export type ExportPlan = z.infer<typeof ExportPlan>;

export const exportPlan = (given: Pick<ExportPlan, 'format' | 'isCompressed' | 'isRaw' | 'lastId'>): ExportPlan =>
  given;
