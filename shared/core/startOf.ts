/**
 * Returns the start of a text for messages, logs and previews. Never splits a surrogate pair, and replaces lone
 * surrogates, which UTF-8 cannot encode. @param length in UTF-16 units
 */
export function startOf(text: string, length: number): string {
  const isPairCut = text.length > length && /[\uD800-\uDBFF]/.test(text.charAt(length - 1));
  return text.slice(0, isPairCut ? length - 1 : length).toWellFormed();
}
