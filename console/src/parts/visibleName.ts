const INVISIBLE = /^[\s\p{Cc}\p{Cf}\p{DI}\u2800]*$/u;

/** Returns the name of an end user, or undefined without a visible character, which channels may deliver. */
export const visibleName = (name: string | null | undefined): string | undefined =>
  name && !INVISIBLE.test(name) ? name : undefined;
