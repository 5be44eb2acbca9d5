/** Refetches the queries that notices concern. */
import type { Query, QueryClient } from '@tanstack/react-query';
import { concerns, isIndexed, isLive, join, type Notice } from './notices.ts';

/** Indexes usually follow within a second, sooner than a notice. Their lists are read again for when they do not. */
const SETTLE_MS = 5_000;

/** How a query that reads only what changed follows notices. In the query's `meta.follow`. */
export interface Follow {
  onNotice(notice: Notice): Promise<void>;
  /** Reads everything again, because changes may have been missed. */
  reload(): Promise<unknown>;
}

const followOf = (query: Query): Follow | undefined =>
  query.isActive() ? (query.meta?.follow as Follow | undefined) : undefined;

/** @param botId omitted for a connection that watches all bots */
export function startRefreshing(queries: QueryClient, botId: string | undefined) {
  /** Queries in progress, and whether they must be repeated. A notice does not cancel them, so that all end. */
  const running = new Map<string, boolean>();
  /** By bot. */
  const unsettled = new Map<string, Notice>();
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

  const refreshConcerned = (notice: Notice, isSettled = false) => {
    for (const query of queries.getQueryCache().getAll()) {
      if (!concerns(query, notice)) continue;
      const follow = followOf(query);
      if (!follow) void refresh(query);
      // Reads records instead of an index, so the first time suffices.
      else if (!isSettled) void follow.onNotice(notice);
    }
  };

  return {
    onNotice(data: Omit<Notice, 'botId'> & Partial<Notice>): void {
      const notice = { ...data, botId: data.botId ?? botId ?? '' };
      refreshConcerned(notice);
      if (!isIndexed(notice)) return;
      unsettled.set(notice.botId, join(unsettled.get(notice.botId), notice));
      timer ??= setTimeout(() => {
        const settled = [...unsettled.values()];
        unsettled.clear();
        timer = undefined;
        for (const each of settled) refreshConcerned(each, true);
      }, SETTLE_MS);
    },
    /** Changes may have been missed. */
    onOpen(): void {
      const live = queries.getQueryCache().findAll({ predicate: query => isLive(query, botId) });
      for (const query of live) {
        const follow = followOf(query);
        if (follow) void follow.reload();
        else void queries.invalidateQueries({ queryKey: query.queryKey, exact: true });
      }
    },
    stop: () => clearTimeout(timer),
  };
}
