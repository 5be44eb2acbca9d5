/** Decides whether the first row of a table is its header. */

export interface Cell {
  column: number;
  value: string;
  isBold?: boolean;
}

/** Numbers, amounts, shares, dates, times, phone numbers: digits and signs, with a currency or unit. `Q1` is a name. */
const DATA = /^(?:\p{Lu}{3} )?[^\p{L}\d]{0,4}\d[\d\s.,:/()+\-–T]*[^\p{L}\d]{0,3}(?: \p{L}{1,3}\.?)?$/u;
const ADDRESS = /^(https?:\/\/\S+|\S+@\S+\.\w+)$/i;
const TRUTH = /^(true|false)$/i;
/** Data that can be the label of a column: its values then have another form. */
const LABELS = [/^(19|20)\d\d$/, /^\d{4}-\d\d(-\d\d)?( \d\d:\d\d:\d\d)?$/, /^\d{1,2}[./]\d{1,2}[./]\d{2,4}$/];
/** Share of a column's values that determine its kind. */
const MOST = 0.8;

const textOf = (cells: Cell[]) => cells.map(({ value }) => value).join('\n');
const isData = ({ value }: Cell) => DATA.test(value) || ADDRESS.test(value) || TRUTH.test(value);

/**
 * Returns `strong` if the row differs from the rows below it in kind or style, `weak` if nothing speaks against a
 * header, and `none` if the row is data.
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
  const isLabel = (cell: Cell) => {
    const form = LABELS.find(label => label.test(cell.value));
    return form !== undefined && !valuesBelow(cell).some(({ value }) => form.test(value));
  };
  const data = row.filter(isData);
  // Columns of a crosstab are years, dates, or the numbers of months or days.
  const isCrosstab = data.length < row.length && (data.every(isLabel) || isSequence(data));
  // Totals are bold as well.
  if (data.length > 0 && !isCrosstab) return isBold ? 'weak' : 'none';
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

/** Returns true for 1, 2, 3 and so on. */
const isSequence = (cells: Cell[]) =>
  cells.length > 2 && cells.every(({ value }, index) => value === String(index + 1));
