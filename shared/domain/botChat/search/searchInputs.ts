import * as z from 'zod/mini';
import { text } from '#shared/core/text.ts';

const MIN_CHARACTERS = 2;
const MAX_CHARACTERS = 200;

/** A search text. Surrounding white space does not count. */
export const searchText = () =>
  text(MAX_CHARACTERS).check(
    z.refine(value => value.trim().length >= MIN_CHARACTERS, {
      error: `Must have at least ${MIN_CHARACTERS} characters`,
    }),
  );
