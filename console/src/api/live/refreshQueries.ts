/** Refetches the queries that notices concern. */
import type { Query, QueryClient } from '@tanstack/react-query';
import { concerns, isIndexed, isLive, join, type Notice } from './notices.ts';

/** Indexes usually follow within a second, sooner than a notice. Their lists are read again for when they do not. */
const SETTLE_MS = 5_000;

export function startRefreshing(queries: QueryClient, botId: string) {
  /** Queries in progress, and whether they must be repeated. A notice does not cancel them, so that all end. */
  const running = new Map<string, boolean>();
  let unsettled: Notice | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;

  async function refresh({ queryKey, queryHash }: Query): Promise<void> {
    if (running.has(queryHash)) return void running.set(queryHash, true);
    running.set(queryHash, false);
    await queries.invalidateQueries({ queryKey, exact: true }).catch(() => undefined);
    const isStale = running.get(queryHash);
    running.delete(queryHash);
    const query = queries.getQueryCache().get(queryHash);
    if (isStale && query) await refresh(query);
  }

  const refreshConcerned = (notice: Notice) => {
    for (const query of queries.getQueryCache().getAll()) if (concerns(query, botId, notice)) void refresh(query);
  };

  return {
    onNotice(notice: Notice): void {
      refreshConcerned(notice);
      if (!isIndexed(notice)) return;
      unsettled = join(unsettled, notice);
      timer ??= setTimeout(() => {
        const settled = unsettled!;
        unsettled = timer = undefined;
        refreshConcerned(settled);
      }, SETTLE_MS);
    },
    /** Changes may have been missed. */
    onOpen(): void {
      void queries.invalidateQueries({ predicate: query => isLive(query, botId) });
    },
    stop: () => clearTimeout(timer),
  };
}
