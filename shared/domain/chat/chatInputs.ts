import * as z from 'zod/mini';
import { tagChanges } from '#shared/api/platform/tagInputs.ts';
import { invalidPayload } from '#shared/core/errors.ts';
import { isForeignId } from '#shared/core/ids.ts';
import { text } from '#shared/core/text.ts';

/** `profile` has the contract's limit. `pictureUrl` may be a data URL. */
export const userFields = {
  name: z.optional(text(1_000)),
  pictureUrl: z.optional(text(20_000)),
  profile: z.optional(text(1_000)),
  // Extends the contract, whose clients do not send it.
  attributes: z.optional(tagChanges()),
};

/** Fields of the webchat client, for installations with `payloadExtensions` (docs/api/chat.md#webchat). */
export const webchatUserFields = {
  userData: z.optional(z.nullable(z.record(z.string(), z.any()))),
};

const USER_DATA_BYTES = 10_000;

/** Returns the stored form of `userData`. Undefined keeps it, null removes it. @throws ApiError InvalidPayload */
export function userDataText(userData: Record<string, unknown> | null | undefined): string | null | undefined {
  if (userData === undefined || userData === null) return userData;
  const json = JSON.stringify(userData);
  if (Buffer.byteLength(json) > USER_DATA_BYTES) {
    throw invalidPayload(`Must have at most ${USER_DATA_BYTES} bytes as JSON.`, 'userData');
  }
  return json;
}

export const foreignId = () =>
  z.string().check(
    z.refine<string>(id => isForeignId(id), {
      error: 'Must be 1 to 70 characters of A-Z a-z 0-9 _ -, and not have the form of a generated id',
    }),
  );

export const listQuery = z.object({ nextToken: z.optional(z.string()) });

export const PAGE_SIZE = 20;
