/** The result of a section, and its Markdown. */
export interface Section {
  title: string;
  /** One sentence: the measurement and its comparison. */
  measures: string;
  columns: string[];
  rows: string[][];
  notes?: string[];
}

/** A bench never fails on a number: on a shared machine it would fail occasionally and then be ignored. */
export const verdict = (isWithin: boolean) => (isWithin ? 'within budget' : 'OVER BUDGET');

export const times = (ratio: number) => `${ratio.toFixed(2)}×`;
export const atMost = (ratio: number) => `≤ ${ratio.toFixed(2)}×`;

/** @param command prints this section only */
export function markdown({ title, measures, columns, rows, notes = [] }: Section, command: string): string {
  const line = (cells: string[]) => `| ${cells.join(' | ')} |`;
  // Aligns names left and numbers right.
  const rule = columns.map((_, i) => (i === 0 ? '---' : '--:'));
  return [
    `## ${title}`,
    `${measures} Reproduce: \`${command}\`.`,
    [line(columns), line(rule), ...rows.map(line)].join('\n'),
    notes.map(note => `- ${note}`).join('\n'),
  ].join('\n\n');
}
