export type Row = readonly string[];

/** A Markdown table. Pipes and line breaks in cells are escaped. */
export function table(columns: Row, rows: readonly Row[]): string {
  const line = (cells: Row) => `| ${cells.map(cell).join(' | ')} |`;
  return [line(columns), `|${columns.map(() => ' --- |').join('')}`, ...rows.map(line)].join('\n');
}

const cell = (text: string) => text.replaceAll('|', '\\|').replaceAll('\n', ' ');

export const code = (text: string) => `\`${text}\``;

/** Paragraphs, tables and headings, one blank line apart. */
export const page = (...blocks: (string | undefined)[]) => `${blocks.filter(block => block).join('\n\n')}\n`;
