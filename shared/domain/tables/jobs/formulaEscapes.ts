/**
 * Exports prefix spreadsheet formulas with an apostrophe, and imports remove it. Text that already looks escaped is
 * escaped too, so an import restores it exactly.
 */

/** The characters of OWASP's "CSV injection". */
const FORMULA = /^'*[=+\-@\t\r]/;
const ESCAPED = /^'+[=+\-@\t\r]/;

export const escapeFormula = (text: string) => (FORMULA.test(text) ? `'${text}` : text);
export const unescapeFormula = (text: string) => (ESCAPED.test(text) ? text.slice(1) : text);
