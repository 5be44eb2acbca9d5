/**
 * Isolates user content within the console's texts. Hebrew, Arabic and bidi controls would otherwise reorder the
 * surrounding text. The style sheet isolates each element, so a value in a sentence needs its own element (`<bdi>`).
 * Strings use isolate characters.
 */
import { createElement, type ReactNode } from 'react';

/** Right-to-left letters and controls: Hebrew to Arabic Extended, presentation forms, and historic scripts. */
const RIGHT_TO_LEFT =
  /[\u0590-\u08ff\u200f\u202a-\u202e\u2066-\u2069\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;
const ISOLATES = /[\u2066-\u2069]/g;
const CONTROLS = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;
const FIRST_STRONG_ISOLATE = '\u2068';
const POP_ISOLATE = '\u2069';

/**
 * Isolates a value within a string. Removes isolate characters from the value, because one could end the isolation
 * early.
 */
export const isolate = (text: string): string =>
  RIGHT_TO_LEFT.test(text) ? `${FIRST_STRONG_ISOLATE}${text.replace(ISOLATES, '')}${POP_ISOLATE}` : text;

/** Joins names into one line, each isolated from the others. */
export const joinNames = (names: readonly string[]): string =>
  names.length === 1 ? names[0]! : names.map(isolate).join(', ');

const STRING = /("(?:[^"\\]|\\.)*")/;

/** Returns the parts of a JSON text, with isolated strings and visible controls. */
export function isolateJson(json: string): ReactNode {
  const text = json.replace(CONTROLS, each => `\\u${each.charCodeAt(0).toString(16).padStart(4, '0')}`);
  if (!RIGHT_TO_LEFT.test(text)) return text;
  // `split` returns the captured strings between the other parts.
  return text.split(STRING).map((part, i) => (i % 2 === 1 ? createElement('bdi', { key: i }, part) : part));
}
