import * as z from 'zod/mini';

export const wellFormed = () =>
  z.refine<string>(text => text.isWellFormed(), { error: 'Must be well-formed Unicode, without lone surrogates' });

export const text = (maxLength: number) => z.string().check(z.maxLength(maxLength), wellFormed());

/** White space, control, format and filler characters, such as U+200B, U+3164 and the blank Braille pattern. */
const INVISIBLE = /^[\s\p{Cc}\p{Cf}\p{DI}\u2800]+$/u;

export const isInvisible = (text: string) => INVISIBLE.test(text);

/** Accepts an empty text, unless combined with `minLength`. */
export const visible = () =>
  z.refine<string>(text => !isInvisible(text), { error: 'Must contain a visible character' });

/** A display name (docs/api/conventions.md#names). */
export const displayName = (maxLength: number) => text(maxLength).check(z.minLength(1), visible());

/** A display name, or an empty text for none. */
export const optionalName = (maxLength: number) => text(maxLength).check(visible());
