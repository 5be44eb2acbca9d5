/**
 * Texts that a spreadsheet would run as a formula are exported behind an apostrophe, and imported without it. A text
 * that looks escaped by itself is escaped too, so that an import gives back what was exported.
 */

/** The characters that OWASP lists under "CSV injection". */
const FORMULA = /^'*[=+\-@\t\r]/;
const ESCAPED = /^'+[=+\-@\t\r]/;

export const escapeFormula = (text: string) => (FORMULA.test(text) ? `'${text}` : text);
export const unescapeFormula = (text: string) => (ESCAPED.test(text) ? text.slice(1) : text);
