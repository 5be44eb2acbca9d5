/** Inputs that several chat operations share. */
import * as z from 'zod/mini';
import { isForeignId } from '#shared/ids.ts';
import { text } from '#shared/text.ts';

/** The length of `profile` is the reference's (FACTS 1.2); those of the others are ours, generous enough for a data URL. */
export const userFields = {
  name: z.optional(text(1_000)),
  pictureUrl: z.optional(text(20_000)),
  profile: z.optional(text(1_000)),
};

/** The id a caller gives to what he creates. */
export const foreignId = () =>
  z.string().check(
    z.refine<string>(id => isForeignId(id), {
      error: "Must be 1 to 70 of A-Z a-z 0-9 _ - and not have the form of the platform's own ids",
    }),
  );

export const listQuery = z.object({ nextToken: z.optional(z.string()) });

/** Records on a page of any list. */
export const PAGE_SIZE = 20;
