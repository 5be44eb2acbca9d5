/** Inputs that several chat operations share. */
import * as z from 'zod/mini';
import { isForeignId } from '../table/ids.ts';

/** Half a surrogate pair cannot be written as UTF-8, and so not be stored. */
const wellFormed = () =>
  z.refine<string>(text => text.isWellFormed(), { error: 'Must be well-formed Unicode, without lone surrogates' });

/** The length of `profile` is the reference's (FACTS 1.2); those of the others are ours, generous enough for a data URL. */
export const userFields = {
  name: z.optional(z.string().check(z.maxLength(1_000), wellFormed())),
  pictureUrl: z.optional(z.string().check(z.maxLength(20_000), wellFormed())),
  profile: z.optional(z.string().check(z.maxLength(1_000), wellFormed())),
};

/** The id a caller gives to what he creates. */
export const foreignId = () =>
  z.string().check(
    z.refine<string>(text => isForeignId(text), {
      error: "Must be 1 to 70 of A-Z a-z 0-9 _ - and not have the form of the platform's own ids",
    }),
  );

export const listQuery = z.object({ nextToken: z.optional(z.string()) });

/** Records on a page of any list. */
export const PAGE_SIZE = 20;

/** A page out of one record more than fits: that one tells whether there is another page. */
export const pageOf = <T>(records: T[]) => ({
  records: records.slice(0, PAGE_SIZE),
  last: records.length > PAGE_SIZE ? records[PAGE_SIZE - 1] : undefined,
});

export const meta = z.object({ nextToken: z.optional(z.string()) });
