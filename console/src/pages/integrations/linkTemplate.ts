/**
 * Reads simple link templates of integrations: assignments, then a text with placeholders. Other templates are programs
 * and not supported.
 */

const COMMENT = /^#/;
const ASSIGNMENT = /^(\w+)\s*=\s*(.+)$/;
const TEXT = /^"((?:[^"\\]|\\.)*)"$/;
const INPUT = /^(?:(?:to_)?string!?\()?\s*\.(\w+)\s*\)?$/;
const PLACEHOLDER = /\{\{\s*(\w+)\s*\}\}/g;

/** @param inputs values of the template's event, such as `webhookId` */
export function linkOf(script: string, inputs: Readonly<Record<string, string>>): string | undefined {
  const lines = script
    .split('\n')
    .map(line => line.trim())
    .filter(line => line !== '' && !COMMENT.test(line));
  const values: Record<string, string> = {};
  let isKnown = true;

  const evaluate = (expression: string): string | undefined => {
    const text = TEXT.exec(expression)?.[1];
    if (text !== undefined) return fill(text);
    const input = INPUT.exec(expression)?.[1];
    return input === undefined ? undefined : (inputs[input] ?? '');
  };
  const fill = (text: string) =>
    text.replace(PLACEHOLDER, (_, name: string) => {
      if (!Object.hasOwn(values, name)) isKnown = false;
      return values[name] ?? '';
    });

  for (const line of lines.slice(0, -1)) {
    const [, name, expression] = ASSIGNMENT.exec(line) ?? [];
    const value = expression === undefined ? undefined : evaluate(expression);
    if (name === undefined || value === undefined) return undefined;
    values[name] = value;
  }
  const link = TEXT.test(lines.at(-1) ?? '') ? evaluate(lines.at(-1)!) : undefined;
  return isKnown && link !== undefined && /^https?:$/.test(URL.parse(link)?.protocol ?? '') ? link : undefined;
}
