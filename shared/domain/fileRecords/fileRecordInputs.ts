import * as z from 'zod/mini';
import { fileTagsOf } from '#shared/api/platform/tagInputs.ts';
import { invalidPayload } from '#shared/core/errors.ts';
import { isFileId } from '#shared/core/ids.ts';
import { text, visible } from '#shared/core/text.ts';
import { ACCESS_POLICIES } from '#shared/storage/dynamodb/files/file.ts';

export const KEY_BYTES = 1024;
/** Control characters and line separators. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: matches them on purpose
const CONTROL = /[\u0000-\u001f\u007f\u2028\u2029]/;

const ROUTES = new Set(['search', 'tags', 'knowledge-bases', 'passages']);
/** HTTP clients resolve these path segments. */
const DOTS = new Set(['.', '..']);

export const fileKey = () =>
  text(KEY_BYTES).check(
    z.minLength(1),
    visible(),
    z.refine(key => Buffer.byteLength(key) <= KEY_BYTES, { error: `Must have at most ${KEY_BYTES} bytes` }),
    z.refine(key => !CONTROL.test(key), { error: 'Must not contain control characters' }),
    z.refine(key => !ROUTES.has(key), {
      error:
        'Must not be a path segment of this API, which would hide the file: search, tags, knowledge-bases or passages',
    }),
    z.refine(key => !DOTS.has(key), { error: 'Must not consist of dots only' }),
    z.refine(key => !isFileId(key), { error: 'Must not have the form of a file id' }),
  );

export const LINK_TAG = 'kbId';
export const TAG_VALUE_LENGTH = 1_000;
export const fileTags = () => fileTagsOf(text(TAG_VALUE_LENGTH));

export const accessPolicies = () =>
  z.pipe(
    z.array(z.enum(ACCESS_POLICIES)).check(z.maxLength(10)),
    z.transform(policies => [...new Set(policies)]),
  );

/** Safe to use in a header. */
export const contentType = () =>
  text(255).check(
    z.regex(/^[\w.+-]+\/[\w.+-]+(?:\s*;[ \t\x21-\x7e]*)?$/, { error: 'Must be a media type, like text/plain.' }),
  );

const MINUTE_MS = 60_000;
const MAX_MS = 90 * 24 * 3600 * 1000;

export const expiresAt = () => z.iso.datetime({ offset: true });
/** Rounds down to the minute. @throws ApiError InvalidPayload for a time outside the next 90 days */
export function expiryMs(value: string, nowMs: number): number {
  const ms = Math.floor(Date.parse(value) / MINUTE_MS) * MINUTE_MS;
  if (ms <= nowMs) throw invalidPayload('Must be in the future, rounded down to the minute.', 'expiresAt');
  if (ms > nowMs + MAX_MS) throw invalidPayload('Must be within 90 days.', 'expiresAt');
  return ms;
}
