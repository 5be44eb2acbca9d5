/**
 * Describes a sheet's rows as `header: value, header: value`, so that each is understandable on its own. The first row
 * with more than one cell is the header, unless it looks like the row below. Rows above it belong to no column.
 */
import { startOf } from '#shared/core/excerpt.ts';
import type { Block } from '#shared/core/passage.ts';
import { looksLikeData } from './headerRow.ts';

export interface Cell {
  column: number;
  value: string;
}

/** Every row repeats the headers. */
const HEADER_LIMIT_CHARS = 100;
/** Maximum rows before the header. Beyond it, the sheet has a single column. */
const LEAD_ROWS = 10;

/** Call `row` for each row of a sheet in order, then `end`. Each returns the blocks completed so far. */
export function describeRows(): { row(cells: Cell[]): Block[]; end(): Block[] } {
  let headers: Map<number, string> | undefined;
  /** The first row of several cells, until the row below it is known. */
  let first: Cell[] | undefined;
  let lead: Cell[][] = [];

  const describe = (cells: Cell[]): Block => {
    const texts = cells.map(({ column, value }) => {
      const header = headers?.get(column);
      return header ? `${header}: ${value}` : value;
    });
    return { type: 'table', text: texts.join(', ') };
  };
  const paragraph = (cells: Cell[]): Block => ({
    type: 'paragraph',
    text: cells.map(({ value }) => value).join(' | '),
  });
  const begin = (top: Cell[], below: Cell[]): Block[] => {
    const isData = looksLikeData(top, below);
    headers = new Map(isData ? [] : top.map(({ column, value }) => [column, startOf(value, HEADER_LIMIT_CHARS)]));
    return isData ? [describe(top), describe(below)] : [describe(below)];
  };
  const onlyRow = (cells: Cell[]): Block => ({ ...paragraph(cells), type: 'table' });
  const endLead = (): Block[] => {
    const [top, below, ...rest] = lead;
    lead = [];
    if (!top) return [];
    return below ? [...begin(top, below), ...rest.map(describe)] : [onlyRow(top)];
  };

  return {
    row(raw) {
      const cells = raw
        .map(({ column, value }) => ({ column, value: value.replace(/\s+/g, ' ').trim() }))
        .filter(({ value }) => value !== '');
      if (cells.length === 0) return [];
      if (headers) return [describe(cells)];
      if (first) {
        const top = first;
        first = undefined;
        return begin(top, cells);
      }
      if (cells.length === 1) return lead.push(cells) > LEAD_ROWS ? endLead() : [];
      first = cells;
      const above = lead.map(paragraph);
      lead = [];
      return above;
    },
    end() {
      return first ? [onlyRow(first)] : endLead();
    },
  };
}
