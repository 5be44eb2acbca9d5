import { startOf } from '#shared/core/excerpt.ts';

/**
 * Truncates a text, and makes it well-formed and non-empty, because models reject empty texts.
 * @param maxLength in UTF-16 units: about one token each in Chinese, a quarter of one in English
 */
export const fitText = (text: string, maxLength: number): string => {
  const fit = startOf(text, maxLength);
  return fit.trim() === '' ? '-' : fit;
};
