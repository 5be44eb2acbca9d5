// biome-ignore-all lint/a11y/useSemanticElements: see the grid
import { Tooltip } from '@mantine/core';
import { type KeyboardEvent, useRef, useState } from 'react';
import { tables } from '../../messages/en/tables.ts';
import { translator } from '../../messages/translate.ts';
import { type Column, isComputed, type Row, show } from './cellValues.ts';
import classes from './Grid.module.css';

const t = translator('tables', tables);

interface CellProps {
  at: string;
  name: string;
  width: number;
  /** Undefined while loading. */
  row: Row | undefined;
  /** Undefined for the id. */
  column: Column | undefined;
  columnIndex: number;
  /** Undefined for cells other than the id. */
  isSelected?: boolean | undefined;
  onSelect?: (() => void) | undefined;
  isHere: boolean;
  isEditing: boolean;
  onFocus: () => void;
  onOpen: () => void;
  onClose: () => void;
  onEdit: (row: Row, name: string, column: Column, text: string) => Promise<boolean>;
}

export function Cell(props: CellProps) {
  const { at, name, width, row, column, columnIndex, isHere, isEditing, onFocus, onOpen, onSelect } = props;
  const text = row ? show(row[name]) : '…';
  const state = row && column && isComputed(column) ? row.computed?.[name] : undefined;
  const isStale = row?.stale?.includes(name) === true;
  return (
    <div
      role="gridcell"
      data-cell={at}
      aria-colindex={columnIndex}
      tabIndex={isHere ? 0 : -1}
      className={classes.cell}
      style={{ width }}
      dir="auto"
      title={text}
      onFocus={onFocus}
      onDoubleClick={onOpen}
    >
      {isEditing && row && column ? (
        <Editor {...props} row={row} column={column} text={text} />
      ) : state && (state.status !== 'completed' || isStale) ? (
        <Computed
          status={isStale && state.status === 'completed' ? 'stale' : state.status}
          error={state.error}
          text={text}
        />
      ) : onSelect && row ? (
        <label className={classes.selector}>
          <input
            type="checkbox"
            tabIndex={-1}
            checked={props.isSelected === true}
            onChange={onSelect}
            aria-label={t('selectRow', { row: row.id })}
          />
          <bdi>{text}</bdi>
        </label>
      ) : (
        text
      )}
    </div>
  );
}

const STATES = ['pending', 'failed', 'stale'] as const;
const stateLabel = (status: string): string => {
  const known = STATES.find(each => each === status);
  return known ? t(`state_${known}`) : status;
};

const Computed = ({ status, error, text }: { status: string; error: string | undefined; text: string }) => (
  <Tooltip label={error ?? stateLabel(status)} disabled={!error}>
    <span className={status === 'failed' ? classes.bad : undefined}>
      <bdi>{text}</bdi> <bdi>{stateLabel(status)}</bdi>
      {error && (
        <>
          : <bdi>{error}</bdi>
        </>
      )}
    </span>
  </Tooltip>
);

function Editor({ name, row, column, text, onClose, onEdit }: CellProps & { row: Row; column: Column; text: string }) {
  const [value, setValue] = useState(text);
  const isClosed = useRef(false);
  const close = async (isKept: boolean) => {
    if (isClosed.current) return;
    isClosed.current = true;
    if (isKept && value !== text) await onEdit(row, name, column, value);
    onClose();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter') void close(true);
    if (event.key === 'Escape') void close(false);
    if (event.key === 'Enter' || event.key === 'Escape') {
      event.preventDefault();
      event.stopPropagation();
    }
  };
  return (
    <input
      // biome-ignore lint/a11y/noAutofocus: the caller asked to edit this cell
      autoFocus
      className={classes.input}
      aria-label={t('cellOf', { name, row: row.id })}
      value={value}
      onChange={event => setValue(event.currentTarget.value)}
      onKeyDown={onKeyDown}
      onBlur={() => void close(true)}
    />
  );
}
