import { Table, UnstyledButton } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { IconChevronDown, IconChevronUp } from '../../icons/tabler.ts';
import rows from '../../parts/Small.module.css';
import { useHiddenColumns } from '../../parts/useHiddenColumns.ts';
import type { Figures } from './formats.ts';
import classes from './Reports.module.css';

export interface Column {
  head: string;
  /** Rows without a value are last. */
  read: (figures: Figures) => number | undefined;
  format: (value: number | undefined) => string;
}

interface FigureTableProps<Row extends Figures> {
  label: string;
  /** Head of the first column. */
  head: string;
  rows: readonly Row[];
  columns: readonly Column[];
  keyOf: (row: Row) => string;
  nameOf: (row: Row) => string;
  children: (row: Row) => ReactNode;
}

interface Order {
  head: string;
  isDescending: boolean;
}

/** A table that a click on a head sorts. Starts in the order of the report. */
export function FigureTable<Row extends Figures>(props: FigureTableProps<Row>) {
  const { label, head, columns, keyOf, nameOf, children } = props;
  const [order, setOrder] = useState<Order>();
  const { ref, hasMore } = useHiddenColumns();
  const sorted = order === undefined ? props.rows : sort(props.rows, order, { head, columns, nameOf });
  const choose = (chosen: string) =>
    setOrder({ head: chosen, isDescending: order?.head === chosen ? !order.isDescending : chosen !== head });
  return (
    <div className={rows.rows} ref={ref} {...(hasMore ? { 'data-more': true } : {})}>
      <Table.ScrollContainer minWidth={880} type="native" tabIndex={0} aria-label={label} role="region">
        <Table highlightOnHover aria-label={label}>
          <Table.Thead>
            <Table.Tr>
              {[head, ...columns.map(column => column.head)].map(name => (
                <Head key={name} name={name} order={order} onClick={() => choose(name)} />
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {sorted.map(row => (
              <Table.Tr key={keyOf(row)}>
                <Table.Td>{children(row)}</Table.Td>
                {columns.map(({ head: name, read, format }) => (
                  <Table.Td key={name} className="number">
                    {format(read(row))}
                  </Table.Td>
                ))}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </div>
  );
}

function Head({ name, order, onClick }: { name: string; order: Order | undefined; onClick: () => void }) {
  const direction = order?.head === name ? (order.isDescending ? 'descending' : 'ascending') : 'none';
  const Icon = direction === 'ascending' ? IconChevronUp : IconChevronDown;
  return (
    <Table.Th className={rows.head} aria-sort={direction}>
      <UnstyledButton className={classes.sort} fz="xs" onClick={onClick}>
        {name}
        {direction !== 'none' && <Icon size={12} aria-hidden />}
      </UnstyledButton>
    </Table.Th>
  );
}

function sort<Row extends Figures>(
  given: readonly Row[],
  { head: by, isDescending }: Order,
  { head, columns, nameOf }: Pick<FigureTableProps<Row>, 'head' | 'columns' | 'nameOf'>,
): Row[] {
  const sign = isDescending ? -1 : 1;
  if (by === head) return given.toSorted((a, b) => sign * nameOf(a).localeCompare(nameOf(b)));
  const { read } = columns.find(column => column.head === by)!;
  return given.toSorted((a, b) => {
    const [one, other] = [read(a), read(b)];
    if (one === undefined || other === undefined) return Number(one === undefined) - Number(other === undefined);
    return sign * (one - other);
  });
}
