/** The row whose details are open, named in the URL. */
import { useQuery } from '@tanstack/react-query';
import { textOf } from './addressQuery.ts';
import { useAddress } from './useAddress.ts';

export interface OpenRow<Row> {
  id: string | undefined;
  /** Undefined while it loads, and if it cannot be read. */
  item: Row | undefined;
  error: Error | null;
  retry: () => void;
  open: (row: Row) => void;
  /** Opens a row that the list may lack. */
  openId: (id: string) => void;
  close: () => void;
}

interface Options<Row> {
  /** Identifies the list, for the cache. */
  key: readonly unknown[];
  rows: readonly Row[];
  idOf: (row: Row) => string;
  /** Reads a row that the loaded part of the list lacks. */
  read: (id: string) => Promise<Row>;
}

export function useOpenRow<Row>({ key, rows, idOf, read }: Options<Row>): OpenRow<Row> {
  const { query, change } = useAddress();
  const id = textOf(query, 'open') || undefined;
  const listed = rows.find(row => idOf(row) === id);
  const found = useQuery({
    queryKey: [...key, 'open', id],
    queryFn: () => read(id!),
    enabled: id !== undefined && listed === undefined,
  });
  return {
    id,
    item: listed ?? found.data,
    error: found.error,
    retry: () => void found.refetch(),
    open: row => change({ open: idOf(row) }, { isStep: true }),
    openId: open => change({ open }, { isStep: true }),
    close: () => change({ open: '' }),
  };
}
