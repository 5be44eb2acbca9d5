/** Inputs shared by chat operations. */
import * as z from 'zod/mini';
import { isForeignId } from '#shared/ids.ts';
import { text } from '#shared/text.ts';

/** The limit of `profile` is the chat API's; `pictureUrl` is long enough for a data URL. */
export const userFields = {
  name: z.optional(text(1_000)),
  pictureUrl: z.optional(text(20_000)),
  profile: z.optional(text(1_000)),
};

/** An id chosen by the caller, see docs/compatibility.md#foreign-ids. */
export const foreignId = () =>
  z.string().check(
    z.refine<string>(id => isForeignId(id), {
      error: 'Must be 1 to 70 characters of A-Z a-z 0-9 _ -, and not look like an id that the platform generates',
    }),
  );

export const listQuery = z.object({ nextToken: z.optional(z.string()) });

/** The page size of every list. */
export const PAGE_SIZE = 20;
