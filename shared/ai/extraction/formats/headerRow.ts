interface Cell {
  column: number;
  value: string;
}

/** Kinds of values that headers hardly ever have. */
const KINDS: Readonly<Record<string, RegExp>> = {
  date: /^(?:\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}[-/.]\d{1,2}[-/.]\d{2,4})(?:[T ]\d{1,2}:\d{2}(?::\d{2}(?:\.\d+)?)?Z?)?$/,
  number: /^[-+]?[€$£¥]?\s?\d[\d.,'’ ]*\s?[%€$£¥]?$/,
  address: /^\S+@\S+\.\S+$/,
  url: /^https?:\/\/\S+$/i,
};
/** Columns of pivot tables are years, or numbered. */
const YEAR = /^(?:19|20)\d\d$/;

const kindOf = ({ value }: Cell) => Object.keys(KINDS).find(kind => KINDS[kind]!.test(value));

/**
 * Returns true if the first row of a table is no header: a column has the same kind of value, such as dates, in both
 * rows.
 */
export function looksLikeData(first: readonly Cell[], second: readonly Cell[]): boolean {
  const numbers = first.filter(cell => kindOf(cell) === 'number');
  const areLabels = numbers.every(({ value }) => YEAR.test(value)) || isSeries(numbers);
  return first.some(cell => {
    const kind = kindOf(cell);
    if (kind === undefined || (kind === 'number' && areLabels)) return false;
    const below = second.find(({ column }) => column === cell.column);
    return below !== undefined && kindOf(below) === kind;
  });
}

const isSeries = (cells: readonly Cell[]) =>
  cells.length > 1 &&
  cells.every(({ value }, index) => index === 0 || Number(value) === Number(cells[index - 1]!.value) + 1);
