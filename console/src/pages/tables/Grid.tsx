// biome-ignore-all lint/a11y/useSemanticElements: an HTML table has no positioned rows, of which some are missing
// biome-ignore-all lint/a11y/useFocusableInteractive: the cells have the focus, and the button of a head
/** A virtual grid of a table's rows. Arrow keys move, Enter edits, and a paste fills cells. */
import { Box, Text, UnstyledButton } from '@mantine/core';
import { columnSizingFeature, createColumnHelper, tableFeatures, useTable } from '@tanstack/react-table';
import { useVirtualizer } from '@tanstack/react-virtual';
import { type ClipboardEvent, type KeyboardEvent, useEffect, useMemo, useRef, useState } from 'react';
import { tables } from '../../messages/en/tables.ts';
import { translator } from '../../messages/translate.ts';
import { Cell } from './Cell.tsx';
import { type Column, columnsOf, isComputed, kindLabel, parsePasted, type Row, type Table } from './cellValues.ts';
import classes from './Grid.module.css';
import type { View } from './useRows.ts';

const t = translator('tables', tables);

const ROW_HEIGHT = 33;
const ID_WIDTH = 80;
const WIDTH = 190;
const OVERSCAN = 12;
const JUMP = 15;

const features = tableFeatures({ columnSizingFeature });
const helper = createColumnHelper<typeof features, Row>();
const NO_ROWS: Row[] = [];

interface GridProps {
  table: Table;
  rows: ReadonlyMap<number, Row>;
  total: number;
  view: View;
  onSort: (name: string) => void;
  onVisible: (range: { first: number; last: number }) => void;
  /** Returns true if the value was saved. */
  onEdit: (row: Row, name: string, column: Column, text: string) => Promise<boolean>;
  selected: ReadonlySet<number>;
  onSelect: (row: Row) => void;
  onUndo: () => void;
  onPaste: (start: { row: number; column: number }, cells: string[][]) => void;
}

export function Grid({
  table,
  rows,
  total,
  view,
  onSort,
  onVisible,
  onEdit,
  onPaste,
  selected,
  onSelect,
  onUndo,
}: GridProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const isMoving = useRef(false);
  const [focus, setFocus] = useState({ row: 0, column: 0 });
  const [isEditing, setEditing] = useState(false);
  const columns = useMemo(() => columnsOf(table), [table]);
  const model = useTable({
    features,
    data: NO_ROWS,
    columns: useMemo(
      () =>
        [
          { name: 'id', size: ID_WIDTH },
          ...columns.map(({ name, column }) => ({ name, size: column['x-zui'].width ?? WIDTH })),
        ].map(({ name, size }) => helper.accessor((row: Row) => row[name], { id: name, header: name, size })),
      [columns],
    ),
  });
  const headers = model.getHeaderGroups()[0]!.headers;
  const virtual = useVirtualizer({
    count: total,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: OVERSCAN,
  });
  const items = virtual.getVirtualItems();
  const [first, last] = [items[0]?.index ?? 0, items.at(-1)?.index ?? 0];
  // biome-ignore lint/correctness/useExhaustiveDependencies: called when the range changes
  useEffect(() => onVisible({ first, last }), [first, last]);

  const move = (row: number, column: number) => {
    const to = { row: clamp(row, total - 1), column: clamp(column, headers.length - 1) };
    setFocus(to);
    isMoving.current = true;
    // Keeps keyboard events in the grid until the cell is rendered.
    scroller.current?.focus({ preventScroll: true });
    virtual.scrollToIndex(to.row);
  };
  useEffect(() => {
    const cell =
      isMoving.current && scroller.current?.querySelector<HTMLElement>(`[data-cell="${focus.row}:${focus.column}"]`);
    if (!cell) return;
    isMoving.current = false;
    cell.focus();
  });
  const onKeyDown = (event: KeyboardEvent) => {
    if (isEditing || !(event.target as HTMLElement).matches('[data-cell], [role=grid]')) return;
    const { row, column } = focus;
    const to = {
      ArrowUp: [row - 1, column],
      ArrowDown: [row + 1, column],
      ArrowLeft: [row, column - 1],
      ArrowRight: [row, column + 1],
      PageUp: [row - JUMP, column],
      PageDown: [row + JUMP, column],
      Home: [event.ctrlKey ? 0 : row, 0],
      End: [event.ctrlKey ? total - 1 : row, headers.length - 1],
    }[event.key];
    if (to) move(to[0]!, to[1]!);
    else if (event.key === 'z' && (event.ctrlKey || event.metaKey) && !event.shiftKey) onUndo();
    else if (event.key === ' ' && column === 0) {
      const current = rows.get(row);
      if (current) onSelect(current);
    } else if (event.key === 'Enter' || event.key === 'F2') setEditing(column > 0);
    else return;
    event.preventDefault();
  };
  const paste = (event: ClipboardEvent) => {
    const text = event.clipboardData.getData('text/plain');
    if (isEditing || !text || focus.column === 0) return;
    event.preventDefault();
    onPaste({ row: focus.row, column: focus.column - 1 }, parsePasted(text));
  };
  const width = headers.reduce((sum, header) => sum + header.column.getSize(), 0);

  return (
    <div
      ref={scroller}
      className={classes.scroller}
      role="grid"
      aria-label={t('rowsOf', { name: table.name })}
      aria-rowcount={total + 1}
      aria-colcount={headers.length}
      tabIndex={-1}
      onKeyDown={onKeyDown}
      onPaste={paste}
    >
      <div role="rowgroup" className={classes.head} style={{ width }}>
        <div role="row" aria-rowindex={1} className={classes.row}>
          {headers.map(header => (
            <Head
              key={header.id}
              name={header.id}
              width={header.column.getSize()}
              column={table.schema.properties[header.id]}
              view={view}
              onSort={onSort}
            />
          ))}
        </div>
      </div>
      <div role="rowgroup" style={{ height: virtual.getTotalSize(), width, position: 'relative' }}>
        {items.map(({ index, start }) => (
          <div
            key={index}
            role="row"
            aria-rowindex={index + 2}
            className={`${classes.row} ${classes.body}`}
            style={{ transform: `translateY(${start}px)`, height: ROW_HEIGHT }}
          >
            {headers.map((header, at) => {
              const isHere = focus.row === index && focus.column === at;
              return (
                <Cell
                  key={header.id}
                  at={`${index}:${at}`}
                  width={header.column.getSize()}
                  row={rows.get(index)}
                  name={header.id}
                  column={table.schema.properties[header.id]}
                  columnIndex={at + 1}
                  isHere={isHere}
                  isSelected={at === 0 ? selected.has(rows.get(index)?.id ?? -1) : undefined}
                  onSelect={at === 0 && rows.has(index) ? () => onSelect(rows.get(index)!) : undefined}
                  isEditing={isHere && isEditing}
                  onFocus={() => setFocus({ row: index, column: at })}
                  onOpen={() => {
                    setFocus({ row: index, column: at });
                    setEditing(at > 0);
                  }}
                  onClose={() => {
                    setEditing(false);
                    move(index, at);
                  }}
                  onEdit={onEdit}
                />
              );
            })}
          </div>
        ))}
      </div>
    </div>
  );
}

const clamp = (value: number, most: number) => Math.max(0, Math.min(value, most));

interface HeadProps {
  name: string;
  width: number;
  column: Column | undefined;
  view: View;
  onSort: (name: string) => void;
}

function Head({ name, width, column, view, onSort }: HeadProps) {
  const isSorted = view.orderBy === name && !view.search;
  const direction = view.orderDirection === 'asc' ? 'ascending' : 'descending';
  const kind = column ? kindLabel(column) : '';
  return (
    <div role="columnheader" className={classes.cell} style={{ width }} aria-sort={isSorted ? direction : 'none'}>
      <UnstyledButton onClick={() => onSort(name)} w="100%" style={{ overflow: 'hidden' }}>
        <Text size="sm" fw={600} truncate span>
          <bdi>{name}</bdi>
          {isSorted ? (direction === 'ascending' ? ' ↑' : ' ↓') : ''}
        </Text>
        <Box component="span" ml={6} fz="xs" c="dimmed">
          <bdi>{kind}</bdi>
          {column && isComputed(column) ? `, ${t('computed')}` : ''}
        </Box>
      </UnstyledButton>
    </div>
  );
}
