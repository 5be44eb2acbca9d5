/** Decides whether the first row of a table is its header. */

export interface Cell {
  column: number;
  value: string;
  isBold?: boolean;
}

/** Numbers, amounts, shares, dates, times, phone numbers: digits with units or signs of at most three letters. */
const DATA = /^[^\p{L}\d]{0,4}\p{L}{0,3}[^\p{L}\d]{0,4}\d[\d\s.,:/()+\-–T]*[^\p{L}\d]{0,3}\p{L}{0,3}\.?$/u;
const ADDRESS = /^(https?:\/\/\S+|\S+@\S+\.\w+)$/i;
const TRUTH = /^(true|false)$/i;
const YEAR = /^(19|20)\d\d$/;
/** Share of a column's values that determine its kind. */
const MOST = 0.8;

const textOf = (cells: Cell[]) => cells.map(({ value }) => value).join('\n');
const isData = ({ value }: Cell) => DATA.test(value) || ADDRESS.test(value) || TRUTH.test(value);

/**
 * Returns `strong` if the row differs from the rows below it in kind or style, `weak` if nothing speaks against a header,
 * and `none` if the row is data.
 */
export function headerEvidence(row: Cell[], below: Cell[][]): 'strong' | 'weak' | 'none' {
  const columns = new Map<number, Cell[]>();
  for (const cell of below.flat()) {
    const column = columns.get(cell.column);
    if (column) column.push(cell);
    else columns.set(cell.column, [cell]);
  }
  const valuesBelow = ({ column }: Cell) => columns.get(column) ?? [];
  const isBold = row.every(cell => cell.isBold) && below.some(cells => cells.some(cell => !cell.isBold));
  // Columns of a crosstab are years. Their values are not.
  const isYear = (cell: Cell) =>
    YEAR.test(cell.value) &&
    !valuesBelow(cell).some(({ value }) => YEAR.test(value)) &&
    row.some(each => !isData(each));
  // Totals are bold as well.
  if (row.some(cell => isData(cell) && !isYear(cell))) return isBold ? 'weak' : 'none';
  if (isBold) return 'strong';
  const isRepeated = (cell: Cell) => valuesBelow(cell).some(({ value }) => value === cell.value);
  const isPrintedAgain = below.some(cells => textOf(cells) === textOf(row));
  if (row.some(isRepeated) && !isPrintedAgain) return 'none';
  const isAboveData = (cell: Cell) => {
    const values = valuesBelow(cell);
    return values.length > 0 && values.filter(isData).length >= values.length * MOST;
  };
  return row.some(isAboveData) ? 'strong' : 'weak';
}
