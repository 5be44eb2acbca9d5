/** Inputs that several operations on files share. */
import * as z from 'zod/mini';
import { orJson } from '#shared/api/platform/queryInputs.ts';
import { tagsOf } from '#shared/api/platform/tagInputs.ts';
import { verbatim } from '#shared/api/verbatim.ts';
import { ACCESS_POLICIES } from '#shared/dynamodb/files/files.ts';
import { invalidPayload } from '#shared/errors.ts';
import { isFileId } from '#shared/ids.ts';
import { text } from '#shared/text.ts';

const KEY_BYTES = 1024;
/** Nothing that could be mistaken for the end of a line, a name or a text. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what it is about
const CONTROL = /[\u0000-\u001f\u007f\u2028\u2029]/;

/** The paths beside `/files/{id}`. */
const ROUTES = new Set(['search', 'tags', 'knowledge-bases', 'passages']);
/** Whoever sends one of these as a part of a path sends another path. */
const DOTS = new Set(['.', '..']);

/** A file's key: any name or path. */
export const fileKey = () =>
  text(KEY_BYTES).check(
    z.minLength(1),
    z.refine(key => Buffer.byteLength(key) <= KEY_BYTES, { error: `A key has at most ${KEY_BYTES} bytes.` }),
    z.refine(key => !CONTROL.test(key), { error: 'A key has no control characters.' }),
    z.refine(key => !ROUTES.has(key), {
      error: 'A path of this interface is called so: a file could not be asked for by it.',
    }),
    z.refine(key => !DOTS.has(key), { error: 'Dots alone are no key.' }),
    z.refine(key => !isFileId(key), { error: 'A key is not shaped like the id of a file.' }),
  );

/** A key that stands in the path. @throws ApiError InvalidPayload */
export function requireKey(key: string, name: string): string {
  const fault = fileKey().safeParse(key).error?.issues[0];
  if (fault) throw invalidPayload(fault.message, name);
  return key;
}

/** As the specification has it: 1 GB. */
export const SIZE_LIMIT_BYTES = 1024 ** 3;

const TAG_VALUE_LENGTH = 1_000;
export const fileTags = () => tagsOf(text(TAG_VALUE_LENGTH));
/** An empty value or null takes one away. */
export const fileTagChanges = () => tagsOf(z.nullable(text(TAG_VALUE_LENGTH)));

/** Beside everything else it fits into an item of the table. */
const METADATA_BYTES = 100_000;
export const metadata = () => verbatim(z.record(z.string(), z.any()));

/** @throws ApiError InvalidPayload when it is too big to be kept */
export function metadataText(metadata: Record<string, unknown>): string {
  const json = JSON.stringify(metadata);
  if (Buffer.byteLength(json) > METADATA_BYTES) {
    throw invalidPayload(`The metadata of a file has at most ${METADATA_BYTES} bytes as JSON.`, 'metadata');
  }
  return json;
}

/** Each once. */
export const accessPolicies = () =>
  z.pipe(
    z.array(z.enum(ACCESS_POLICIES)).check(z.maxLength(10)),
    z.transform(policies => [...new Set(policies)]),
  );

/** A type that can stand in a header. */
export const contentType = () =>
  text(255).check(
    z.regex(/^[\w.+-]+\/[\w.+-]+(?:\s*;[ \t\x21-\x7e]*)?$/, { error: 'Must be a media type, like text/plain.' }),
  );

const MINUTE_MS = 60_000;
const LONGEST_MS = 90 * 24 * 3600 * 1000;

export const expiresAt = () => z.iso.datetime({ offset: true });
/** @returns to the minute. @throws ApiError InvalidPayload when it is not within the next 90 days */
export function expiryMs(value: string, nowMs: number): number {
  const ms = Math.floor(Date.parse(value) / MINUTE_MS) * MINUTE_MS;
  if (ms <= nowMs) throw invalidPayload('Must be in the future, by whole minutes.', 'expiresAt');
  if (ms > nowMs + LONGEST_MS) throw invalidPayload('Must be within 90 days.', 'expiresAt');
  return ms;
}

/** A whole number of a range. */
const within = (least: number, most: number) => z.int().check(z.minimum(least), z.maximum(most));

/**
 * How a file is to be indexed, in the contract's ranges. What needs a language model (`agent` parsing, smart cleanup,
 * summaries, vision) is taken and kept, and does nothing: see the README.
 */
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
/** One value or several; of another shape a value is no filter. */
const values = () =>
  z.pipe(
    z.transform((value: unknown) => (typeof value === 'string' ? [value] : value)),
    z.array(text(TAG_VALUE_LENGTH)).check(z.minLength(1), z.maxLength(VALUES_OF_A_TAG)),
  );

/** Tags of a query: `tags.a=x`, several of which one must be there, or `tags.a.not=x` (FACTS 1.5). */
export const queryTagFilters = () =>
  orJson(
    tagsOf(
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
