/** What a section of the bench hands back, and how it is printed: as Markdown, to be pasted where it is needed. */

export interface Section {
  title: string;
  /** One sentence: what is measured, against what. */
  measures: string;
  columns: string[];
  rows: string[][];
  /** What a reader must know to read the numbers. */
  notes?: string[];
}

/** What a row came to. Printed, never asserted: the machine is shared, and a bench that fails now and then is ignored. */
export const verdict = (isWithin: boolean) => (isWithin ? 'within budget' : 'OVER BUDGET');

export const times = (ratio: number) => `${ratio.toFixed(2)}×`;
export const atMost = (ratio: number) => `≤ ${ratio.toFixed(2)}×`;

/** @param command what prints just this section */
export function markdown({ title, measures, columns, rows, notes = [] }: Section, command: string): string {
  const line = (cells: string[]) => `| ${cells.join(' | ')} |`;
  // Names on the left, numbers on the right.
  const rule = columns.map((_, i) => (i === 0 ? '---' : '--:'));
  return [
    `## ${title}`,
    `${measures} Reproduce: \`${command}\`.`,
    [line(columns), line(rule), ...rows.map(line)].join('\n'),
    notes.map(note => `- ${note}`).join('\n'),
  ].join('\n\n');
}
