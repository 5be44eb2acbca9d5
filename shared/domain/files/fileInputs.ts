import * as z from 'zod/mini';
import { orJson } from '#shared/api/platform/queryInputs.ts';
import { fileTagsOf } from '#shared/api/platform/tagInputs.ts';
import { verbatim } from '#shared/api/verbatim.ts';
import { invalidPayload } from '#shared/core/errors.ts';
import { text } from '#shared/core/text.ts';
import { fileKey, TAG_VALUE_LENGTH } from '#shared/domain/fileRecords/fileRecordInputs.ts';

export function requireKey(key: string, name: string): string {
  const fault = fileKey().safeParse(key).error?.issues[0];
  if (fault) throw invalidPayload(fault.message, name);
  return key;
}

export const SIZE_LIMIT_BYTES = 1024 ** 3;

export const fileTagChanges = () => fileTagsOf(z.nullable(text(TAG_VALUE_LENGTH)));

/** Leaves room in the item for its other attributes. */
const METADATA_BYTES = 100_000;
export const metadata = () => verbatim(z.record(z.string(), z.any()));

export function metadataText(metadata: Record<string, unknown>): string {
  const json = JSON.stringify(metadata);
  if (Buffer.byteLength(json) > METADATA_BYTES) {
    throw invalidPayload(`Must have at most ${METADATA_BYTES} bytes as JSON.`, 'metadata');
  }
  return json;
}

const within = (least: number, most: number) => z.int().check(z.minimum(least), z.maximum(most));

/** The contract's indexing configuration. docs/api/files.md#indexing lists the supported part. */
export const indexing = () =>
  z.object({
    configuration: z.object({
      parsing: z.optional(
        z.object({
          mode: z.optional(z.enum(['agent', 'standard'])),
          minimumParagraphLength: z.optional(within(50, 2_000)),
          smartCleanup: z.optional(z.boolean()),
        }),
      ),
      chunking: z.optional(
        z.object({
          maximumChunkLength: z.optional(within(100, 5_000)),
          embeddedContextLevels: z.optional(within(0, 3)),
          embedBreadcrumb: z.optional(z.boolean()),
        }),
      ),
      summarization: z.optional(
        z.object({
          enable: z.optional(z.boolean()),
          modelType: z.optional(z.enum(['inexpensive', 'balanced', 'accurate'])),
          minimumInputLength: z.optional(within(0, 1_000_000)),
          outputTokenLimit: z.optional(within(1, 100_000)),
          generateMasterSummary: z.optional(z.boolean()),
        }),
      ),
      stack: z.optional(z.enum(['legacy', 'realtime-v1'])),
      vision: z.optional(z.object({ transcribePages: z.optional(z.any()), indexPages: z.optional(z.any()) })),
    }),
  });

const VALUES_OF_A_TAG = 50;
const values = () =>
  z.pipe(
    z.transform((value: unknown) => (typeof value === 'string' ? [value] : value)),
    z.array(text(TAG_VALUE_LENGTH)).check(z.minLength(1), z.maxLength(VALUES_OF_A_TAG)),
  );

/** Tag filters: `tags.a=x`, repeated for alternatives, or `tags.a.not=x` (docs/api/conventions.md#query-encoding). */
export const queryTagFilters = () =>
  orJson(
    fileTagsOf(
      z.union([
        z.pipe(
          values(),
          z.transform(some => ({ in: some })),
        ),
        z.pipe(
          z.strictObject({ not: values() }),
          z.transform(({ not }) => ({ not })),
        ),
      ]),
    ),
  );
