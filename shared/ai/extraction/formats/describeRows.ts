/**
 * Describes a sheet's rows as `header: value, header: value`, so that each is understandable on its own. The first row
 * with more than one cell is the header. Rows above it belong to no column.
 */
import { startOf } from '#shared/core/excerpt.ts';
import type { Block } from '#shared/core/passage.ts';

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
  let headerRow: Cell[] = [];
  let lead: Cell[][] = [];
  let isHeaderShown = false;

  const describe = (cells: Cell[]): Block => {
    isHeaderShown = true;
    const texts = cells.map(({ column, value }) => {
      const header = headers?.get(column);
      return header ? `${header}: ${value}` : value;
    });
    return { type: 'table', text: texts.join(', ') };
  };
  const begin = (row: Cell[]) => {
    headerRow = row;
    headers = new Map(row.map(({ column, value }) => [column, startOf(value, HEADER_LIMIT_CHARS)]));
  };
  const paragraph = (cells: Cell[]): Block => ({
    type: 'paragraph',
    text: cells.map(({ value }) => value).join(' | '),
  });
  const endLead = (): Block[] => {
    const [first, ...rest] = lead;
    lead = [];
    if (!first) return [];
    begin(first);
    return rest.map(describe);
  };

  return {
    row(raw) {
      const cells = raw
        .map(({ column, value }) => ({ column, value: value.replace(/\s+/g, ' ').trim() }))
        .filter(({ value }) => value !== '');
      if (cells.length === 0) return [];
      if (headers) return [describe(cells)];
      if (cells.length === 1) return lead.push(cells) > LEAD_ROWS ? endLead() : [];
      begin(cells);
      const above = lead.map(paragraph);
      lead = [];
      return above;
    },
    end() {
      const rest = endLead();
      return isHeaderShown || headerRow.length === 0 ? rest : [...rest, { ...paragraph(headerRow), type: 'table' }];
    },
  };
}
