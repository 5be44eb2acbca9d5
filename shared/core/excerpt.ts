/** Cuts texts for messages, logs and previews. Never splits a surrogate pair. Lengths are in UTF-16 units. */

/** Replaces lone surrogates, which UTF-8 cannot encode, with U+FFFD. */
export function startOf(text: string, length: number): string {
  const isPairCut = text.length > length && /[\uD800-\uDBFF]/.test(text.charAt(length - 1));
  return text.slice(0, isPairCut ? length - 1 : length).toWellFormed();
}

/** Like {@link startOf}, for the end of a text. */
export function endOf(text: string, length: number): string {
  const start = Math.max(0, text.length - length);
  const isPairCut = start > 0 && /[\uDC00-\uDFFF]/.test(text.charAt(start));
  return text.slice(isPairCut ? start + 1 : start).toWellFormed();
}
