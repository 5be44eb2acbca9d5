const INVISIBLE = /^[\s\p{Cc}\p{Cf}\p{DI}\u2800]*$/u;

/** Returns an end user's name, or undefined if it has no visible character. Channels may deliver such names. */
export const visibleName = (name: string | null | undefined): string | undefined =>
  name && !INVISIBLE.test(name) ? name : undefined;
