/** Rows of a long list, of which only the visible ones are in the page. */
import { useVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, type RefObject, useEffect } from 'react';

/** Rows before and after the visible ones, for the keyboard and for fast scrolling. */
const OVERSCAN = 10;
/** Number of rows before the end at which the next page is loaded. */
const AHEAD = 20;

interface VirtualRowsProps<Row> {
  rows: readonly Row[];
  keyOf: (row: Row) => string;
  scroller: RefObject<HTMLElement | null>;
  /** Height of a row before it was rendered, in pixels. */
  estimate: number;
  /** Row that is scrolled into view when it changes. */
  current?: string | undefined;
  onEnd: () => void;
  children: (row: Row) => ReactNode;
}

export function VirtualRows<Row>(props: VirtualRowsProps<Row>) {
  const { rows, keyOf, scroller, estimate, current, onEnd, children } = props;
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => estimate,
    getItemKey: index => keyOf(rows[index]!),
    overscan: OVERSCAN,
  });
  const items = virtual.getVirtualItems();
  const isNearEnd = (items.at(-1)?.index ?? 0) >= rows.length - AHEAD;
  // biome-ignore lint/correctness/useExhaustiveDependencies: called at the end of each page
  useEffect(() => {
    if (isNearEnd) onEnd();
  }, [isNearEnd, rows.length]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a list that changes does not scroll
  useEffect(() => {
    const index = current === undefined ? -1 : rows.findIndex(row => keyOf(row) === current);
    if (index !== -1) virtual.scrollToIndex(index, { align: 'auto' });
  }, [current]);
  return (
    <div style={{ position: 'relative', height: virtual.getTotalSize() }}>
      {items.map(({ index, key, start }) => (
        <div
          key={key}
          ref={virtual.measureElement}
          data-index={index}
          style={{ position: 'absolute', top: 0, left: 0, right: 0, transform: `translateY(${start}px)` }}
        >
          {children(rows[index]!)}
        </div>
      ))}
    </div>
  );
}
