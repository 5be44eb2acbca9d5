/** Text that can be stored. */
import * as z from 'zod/mini';

/** A lone surrogate cannot be encoded as UTF-8, and so not be stored. */
export const wellFormed = () =>
  z.refine<string>(text => text.isWellFormed(), { error: 'Must be well-formed Unicode, without lone surrogates' });

export const text = (maxLength: number) => z.string().check(z.maxLength(maxLength), wellFormed());
