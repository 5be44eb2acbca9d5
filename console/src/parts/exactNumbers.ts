/** Numbers that JavaScript would change before the API could reject them (docs/api/conventions.md#json-values). */

const TOKENS = /"[^"\\]*(?:\\.[^"\\]*)*"|[-+.\d][\d.eE+-]*/gs;
const LONG_INTEGER = /^[-+]?0*(\d{16,})/;

/** @param text a number, or JSON */
export const hasExactNumbers = (text: string): boolean =>
  (text.match(TOKENS) ?? []).every(token => token.startsWith('"') || isExact(token));

function isExact(token: string): boolean {
  const value = Number(token);
  if (Number.isNaN(value)) return true;
  if (!Number.isFinite(value)) return false;
  const digits = /e/i.test(token) ? undefined : LONG_INTEGER.exec(token)?.[1];
  return digits === undefined || String(Math.abs(Math.trunc(value))) === digits;
}
