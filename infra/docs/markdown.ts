export type Row = readonly string[];

export function table(columns: Row, rows: readonly Row[]): string {
  const line = (cells: Row) => `| ${cells.map(cell).join(' | ')} |`;
  return [line(columns), `|${columns.map(() => ' --- |').join('')}`, ...rows.map(line)].join('\n');
}

/** Pads cells as the formatter does, for tables in pages that it formats. */
export function alignedTable(columns: Row, rows: readonly Row[]): string {
  const all = [columns, ...rows].map(row => row.map(cell));
  const widths = columns.map((_, index) => Math.max(...all.map(row => row[index]!.length)));
  const line = (cells: Row) => `| ${cells.map((text, index) => text.padEnd(widths[index]!)).join(' | ')} |`;
  return [line(all[0]!), line(widths.map(width => '-'.repeat(width))), ...all.slice(1).map(line)].join('\n');
}

const cell = (text: string) => text.replaceAll('|', '\\|').replaceAll('\n', ' ');

/** Returns the anchor that renderers give a heading without markup. */
export const anchorOf = (heading: string) => heading.toLowerCase().replaceAll(' ', '-');

export const code = (text: string) => `\`${text}\``;

/** Joins blocks with blank lines and wraps text at column 120. */
export const page = (...blocks: (string | undefined)[]) =>
  `${blocks.flatMap(block => (block ? wrapped(block) : [])).join('\n\n')}\n`;

const COLUMNS = 120;

/** Wraps paragraphs and list items at spaces outside of code. */
function wrapped(block: string): string {
  if (block.startsWith('```')) return block;
  const isText = (line: string) => line.length > COLUMNS && !/^[|#<]/.test(line);
  return block
    .split('\n')
    .map(line => (isText(line) ? wrappedLine(line) : line))
    .join('\n');
}

function wrappedLine(text: string): string {
  const indentation = ' '.repeat(/^\s*(?:[-*] |\d+\. )?/.exec(text)![0].length);
  const words = text.trimStart().match(/(?:`[^`]*`|\S)+/g)!;
  const lines = [/^\s*/.exec(text)![0] + words[0]];
  for (const word of words.slice(1)) {
    const line = `${lines.at(-1)} ${word}`;
    if (line.length > COLUMNS) lines.push(indentation + word);
    else lines[lines.length - 1] = line;
  }
  return lines.join('\n');
}
