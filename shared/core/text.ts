import * as z from 'zod/mini';

export const wellFormed = () =>
  z.refine<string>(text => text.isWellFormed(), { error: 'Must be well-formed Unicode, without lone surrogates' });

export const text = (maxLength: number) => z.string().check(z.maxLength(maxLength), wellFormed());
