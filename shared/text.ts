/** Text that can be stored. */
import * as z from 'zod/mini';

/** Half a surrogate pair cannot be written as UTF-8, and so not be stored. */
export const wellFormed = () =>
  z.refine<string>(text => text.isWellFormed(), { error: 'Must be well-formed Unicode, without lone surrogates' });

export const text = (maxLength: number) => z.string().check(z.maxLength(maxLength), wellFormed());
