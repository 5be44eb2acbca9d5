import { textOf } from '../../navigation/addressQuery.ts';
import { useAddress, useAddressText } from '../../navigation/useAddress.ts';
import { type Condition, filterOf, operatorsFor, type Table } from './cellValues.ts';
import type { View } from './useRows.ts';

/** Filter, search and order of the rows, which the URL keeps. A column that was deleted since does not apply. */
export function useView(table: Table) {
  const { query, change } = useAddress();
  const { text, setText, wanted } = useAddressText('value');
  const search = useAddressText('search');
  const named = (parameter: string) => {
    const name = textOf(query, parameter);
    return Object.hasOwn(table.schema.properties, name) ? name : '';
  };
  const name = named('column');
  const operators = operatorsFor(table.schema.properties[name]);
  const operator = operators.find(each => each === textOf(query, 'condition')) ?? operators[0]!;
  const sort: Pick<View, 'orderBy' | 'orderDirection'> = {
    orderBy: named('sort') || 'id',
    orderDirection: textOf(query, 'direction') === 'desc' ? 'desc' : 'asc',
  };
  return {
    condition: { name, operator, text },
    ...readFilter({ name, operator, text: wanted }, table),
    setText,
    search,
    sort,
    change,
  };
}

function readFilter(condition: Condition, table: Table): { filter: View['filter']; fault?: string } {
  const column = table.schema.properties[condition.name];
  if (!column || (condition.text === '' && condition.operator !== '$exists')) return { filter: undefined };
  try {
    return { filter: filterOf(condition, column) };
  } catch (error) {
    return { filter: undefined, fault: (error as Error).message };
  }
}
