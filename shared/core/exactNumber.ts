/** Parley keeps numbers as IEEE 754 doubles, as every JavaScript client does (docs/api/conventions.md#json-values). */

const LITERAL = /^[-+]?0*(\d*)(?:\.(\d*))?(e)?/i;

/** From here on, doubles are more than one apart. */
const FIRST_INEXACT = 2 ** 53;

/**
 * Returns why a double cannot represent a number, as a phrase after "The number". Rounds a fraction and a number with
 * an exponent to the nearest double, as JSON parsers do. @param literal a decimal number in the grammar of JSON or CSV
 */
export function faultOfNumber(literal: string): string | undefined {
  const value = Math.abs(Number(literal));
  if (value > 0 && value < FIRST_INEXACT) return undefined;
  if (value === Number.POSITIVE_INFINITY) return 'exceeds the range of a double';
  const [, whole = '', fraction = '', exponent] = LITERAL.exec(literal) ?? [];
  if (value === 0) return /[1-9]/.test(whole + fraction) ? 'is too close to zero for a double' : undefined;
  if (exponent) return undefined;
  const isKept = /^0*$/.test(fraction) && significantOf(String(value)) === significantOf(whole);
  return isKept ? undefined : 'has more digits than a double keeps';
}

/** Returns the digits of an integer in either notation: `String` writes an exponent from 10^21 on. */
const significantOf = (text: string) => text.split('e')[0]!.replace('.', '').replace(/0+$/, '');
