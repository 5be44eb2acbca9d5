/**
 * Truncates a text and makes it well-formed. Models reject empty texts.
 * @param maxLength in UTF-16 units: about one token each in Chinese, a quarter of one in English
 */
export const fitText = (text: string, maxLength: number): string => {
  const fit = (text.length > maxLength ? text.slice(0, maxLength) : text).toWellFormed();
  return fit.trim() === '' ? '-' : fit;
};
