/**
 * Describes a sheet's rows as `header: value, header: value`, so that each is understandable on its own. Empty rows
 * separate tables, each of which may have rows of titles and a header. Rows of a table without a header are only
 * values.
 */
import { startOf } from '#shared/core/excerpt.ts';
import type { Block } from '#shared/core/passage.ts';
import { type Cell, headerEvidence } from './headerRow.ts';

export type { Cell } from './headerRow.ts';

/** Every row repeats the headers. */
const HEADER_LIMIT_CHARS = 100;
/** Rows of a table that are compared with its first. */
const SAMPLE_ROWS = 20;
/** A longer text above a single column is not its header. */
const LABEL_CHARS = 50;

/**
 * Call `row` for each row of a sheet in order, an empty one for a gap, then `end`. Each returns the blocks completed so
 * far. A declared header begins a table.
 */
export function describeRows(): { row(cells: Cell[], isDeclaredHeader?: boolean): Block[]; end(): Block[] } {
  let headers = new Map<number, string>();
  let headerRow: Cell[] = [];
  /** Columns of the header that no row has mentioned. */
  let unseen = new Set<number>();
  /** Rows of a table whose header is undecided. */
  let sample: Cell[][] | undefined = [];

  const describe = (cells: Cell[]): Block => {
    const texts = cells.map(({ column, value }) => {
      unseen.delete(column);
      const header = headers.get(column);
      return header ? `${header}: ${value}` : value;
    });
    return { type: 'table', text: texts.join(', ') };
  };
  const endTable = (): Block[] => {
    const isShown = unseen.size === 0;
    unseen = new Set();
    return isShown ? [] : [{ ...paragraph(headerRow), type: 'table' }];
  };
  const begin = (row: Cell[]): Block[] => {
    const before = endTable();
    headerRow = row;
    headers = new Map(row.map(({ column, value }) => [column, startOf(value, HEADER_LIMIT_CHARS)]));
    unseen = new Set(headers.keys());
    return before;
  };
  const decide = (): Block[] => {
    const rows = sample ?? [];
    sample = undefined;
    const first = rows.findIndex(cells => cells.length > 1);
    if (first === -1) return decideColumn(rows);
    const titles = rows.slice(0, first).map(paragraph);
    const table = rows.slice(first);
    const evidence = headerEvidence(table[0]!, table.slice(1));
    // Rows after a gap usually belong to the table above it.
    const isHeader = evidence === 'strong' || (evidence === 'weak' && headers.size === 0);
    const before = isHeader ? begin(table.shift()!) : [];
    return [...before, ...titles, ...table.map(describe)];
  };
  const decideColumn = (rows: Cell[][]): Block[] => {
    const label = rows[0]?.[0];
    const isColumn =
      rows.length > 1 &&
      headers.size === 0 &&
      label!.value.length <= LABEL_CHARS &&
      rows.every(([cell]) => cell!.column === label!.column);
    if (!isColumn) return rows.map(paragraph);
    if (headerEvidence(rows[0]!, rows.slice(1)) === 'none') return rows.map(describe);
    return [...begin(rows[0]!), ...rows.slice(1).map(describe)];
  };

  return {
    row(raw, isDeclaredHeader = false) {
      const cells = raw
        .map(cell => ({ ...cell, value: cell.value.replace(/\s+/g, ' ').trim() }))
        .filter(({ value }) => value !== '');
      if (isDeclaredHeader && cells.length > 0) return [...decide(), ...begin(cells)];
      if (cells.length === 0) {
        const blocks = decide();
        sample = [];
        return blocks;
      }
      if (!sample) return [describe(cells)];
      return sample.push(cells) > SAMPLE_ROWS ? decide() : [];
    },
    end: () => [...decide(), ...endTable()],
  };
}

const paragraph = (cells: Cell[]): Block => ({
  type: 'paragraph',
  text: cells.map(({ value }) => value).join(' | '),
});
