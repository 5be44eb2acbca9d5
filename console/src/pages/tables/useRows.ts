/** Loads the visible rows of a table in windows, so that long tables open immediately. */
import { keepPreviousData, useQueries, useQuery } from '@tanstack/react-query';
import { useBotClient } from '../../api/clients.ts';
import type { Row } from './cellValues.ts';

/** Rows per window. */
const WINDOW = 200;

const COUNT_MS = 3_000;

export interface View {
  filter: Record<string, unknown> | undefined;
  search: string;
  orderBy: string;
  orderDirection: 'asc' | 'desc';
}

export function useRows(botId: string, table: string, view: View, visible: { first: number; last: number }) {
  const client = useBotClient(botId);
  const { filter, search, orderBy, orderDirection } = view;
  const key = ['rows', botId, table, view];
  const total = useQuery({
    queryKey: [...key, 'total'],
    queryFn: async () => {
      if (!filter) return (await client.getTable({ table })).rows;
      const { rows } = await client.findTableRows({ table, filter, group: { id: 'count' } });
      return Number(rows[0]?.idCount ?? 0);
    },
    placeholderData: keepPreviousData,
    // The row count is eventually consistent.
    refetchInterval: filter ? false : COUNT_MS,
  });
  const first = Math.floor(visible.first / WINDOW);
  const last = Math.floor(Math.max(visible.last, visible.first) / WINDOW);
  const numbers = Array.from({ length: last - first + 1 }, (_, i) => first + i);
  const windows = useQueries({
    queries: numbers.map(number => ({
      queryKey: [...key, number],
      queryFn: async () => {
        const found = await client.findTableRows({
          table,
          offset: number * WINDOW,
          limit: WINDOW,
          ...(filter ? { filter } : {}),
          // A search sorts by similarity.
          ...(search ? { search } : { orderBy, orderDirection }),
        });
        return found.rows;
      },
    })),
  });
  const rows = new Map<number, Row>();
  for (const [i, { data = [] }] of windows.entries()) {
    for (const [j, row] of data.entries()) rows.set(numbers[i]! * WINDOW + j, row);
  }
  return {
    total: total.data ?? 0,
    rows,
    isLoading: total.isPending,
    error: total.error ?? windows.find(({ error }) => error)?.error ?? null,
    reload: () => {
      void total.refetch();
      for (const each of windows) void each.refetch();
    },
  };
}
