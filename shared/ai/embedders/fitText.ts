/**
 * Truncates a text to what models accept: well-formed, and not empty, which they reject.
 * @param maxLength in UTF-16 units; a token is about one of them in Chinese and four in English
 */
export const fitText = (text: string, maxLength: number): string => {
  const fit = (text.length > maxLength ? text.slice(0, maxLength) : text).toWellFormed();
  return fit.trim() === '' ? '-' : fit;
};
