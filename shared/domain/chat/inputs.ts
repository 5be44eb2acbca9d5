/** Inputs shared by chat operations. */
import * as z from 'zod/mini';
import { tagChanges } from '#shared/api/platform/tagInputs.ts';
import { invalidPayload } from '#shared/core/errors.ts';
import { isForeignId } from '#shared/core/ids.ts';
import { text } from '#shared/core/text.ts';

/** The limit of `profile` is the chat API's; `pictureUrl` is long enough for a data URL. */
export const userFields = {
  name: z.optional(text(1_000)),
  pictureUrl: z.optional(text(20_000)),
  profile: z.optional(text(1_000)),
};

/** What the webchat client adds, where the installation has `payloadExtensions` (docs/api/chat.md#webchat). */
export const webchatUserFields = {
  userData: z.optional(z.nullable(z.record(z.string(), z.any()))),
  attributes: z.optional(tagChanges()),
};

/** The limit of `userData` as JSON. */
const USER_DATA_BYTES = 10_000;

/**
 * @returns `userData` as it is stored; undefined leaves it, null removes it
 * @throws ApiError InvalidPayload over the limit
 */
export function userDataText(userData: Record<string, unknown> | null | undefined): string | null | undefined {
  if (userData === undefined || userData === null) return userData;
  const json = JSON.stringify(userData);
  if (Buffer.byteLength(json) > USER_DATA_BYTES) {
    throw invalidPayload(`Must have at most ${USER_DATA_BYTES} bytes as JSON.`, 'userData');
  }
  return json;
}

/** An id chosen by the caller, see docs/api/chat.md#foreign-ids. */
export const foreignId = () =>
  z.string().check(
    z.refine<string>(id => isForeignId(id), {
      error: 'Must be 1 to 70 characters of A-Z a-z 0-9 _ -, and not look like an id that the platform generates',
    }),
  );

export const listQuery = z.object({ nextToken: z.optional(z.string()) });

/** The page size of every list. */
export const PAGE_SIZE = 20;
