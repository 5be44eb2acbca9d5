/**
 * A text as models take it: not longer, not empty (which they refuse), and without half a character at the end.
 * @param maxLength in UTF-16 units; a token is at least about one of them, in Chinese, and four in English
 */
export const fitText = (text: string, maxLength: number): string => {
  const fit = (text.length > maxLength ? text.slice(0, maxLength) : text).toWellFormed();
  return fit.trim() === '' ? '-' : fit;
};
