/** Parley keeps numbers as IEEE 754 doubles, as every JavaScript client does (docs/api/conventions.md#json-values). */

const LITERAL = /^[-+]?(\d*)\.?(\d*)(?:e([-+]?\d+))?$/i;

/** From here on, doubles are more than one apart. */
const FIRST_INEXACT = 2 ** 53;

/** Integer parts of fewer digits are below {@link FIRST_INEXACT}. */
export const EXACT_DIGITS = 15;

/**
 * Returns why a double cannot represent a number, as a phrase after "The number". Rounds a fraction and a number with
 * an exponent to the nearest double, as JSON parsers do. @param literal a decimal number in the grammar of JSON or CSV
 */
export function faultOfNumber(literal: string): string | undefined {
  const value = Number(literal);
  if (!Number.isFinite(value)) return 'exceeds the range of a double';
  const [, whole = '', fraction = '', exponent] = LITERAL.exec(literal) ?? [];
  if (value === 0) return /[1-9]/.test(whole + fraction) ? 'is too close to zero for a double' : undefined;
  if (exponent !== undefined || Math.abs(value) < FIRST_INEXACT) return undefined;
  return decimalOf(literal) === decimalOf(String(value)) ? undefined : 'has more digits than a double keeps';
}

/** Returns significant digits and exponent, the same for all notations of a value. */
function decimalOf(literal: string): string {
  const [, whole = '', fraction = '', exponent = '0'] = LITERAL.exec(literal) ?? [];
  const digits = (whole + fraction).replace(/^0+/, '');
  const significant = digits.replace(/0+$/, '');
  return `${significant}e${Number(exponent) - fraction.length + digits.length - significant.length}`;
}
