/** Keeps the loaded pages of an inbox list current by reading only the conversations that a notice names. */
import type { InfiniteData, QueryClient, QueryKey } from '@tanstack/react-query';
import type { InboxRow } from '../../api/contract.ts';
import type { Notice } from '../../api/live/notices.ts';
import type { Follow } from '../../api/live/refreshQueries.ts';
import { type RowsPage, withChanges } from './inboxRows.ts';

/** Maximum number of conversations of one call. */
const BATCH = 100;
/** Pages that are read again when changes may have been missed. Later ones load when the list is scrolled to them. */
const RELOADED_PAGES = 2;
/** A visitor who arrives is a change of users, so names of customers are read again rarely. */
const NAMES_MS = 30_000;

type Data = InfiniteData<RowsPage, string | undefined>;

interface Following {
  queries: QueryClient;
  queryKey: QueryKey;
  /** Empty for all bots. */
  botIds: readonly string[];
  /** Reads the latest handoffs of conversations. */
  read: (botId: string, conversationIds: readonly string[]) => Promise<InboxRow[]>;
  /** Returns the list after a change: see `inboxRows.ts`. */
  listing: Parameters<typeof withChanges>[3];
}

export function followInbox({ queries, queryKey, botIds, read, listing }: Following): Follow {
  const pending = new Map<string, Set<string>>();
  let isReading = false;
  let isReloadPlanned = false;
  const pages = () => queries.getQueryData<Data>(queryKey)?.pages ?? [];

  async function reload(): Promise<void> {
    pending.clear();
    queries.setQueryData<Data>(queryKey, data => data && firstPages(data));
    await queries.refetchQueries({ queryKey, exact: true, type: 'active' });
  }

  function planReload(): void {
    if (isReloadPlanned) return;
    isReloadPlanned = true;
    setTimeout(() => {
      isReloadPlanned = false;
      void reload().catch(() => undefined);
    }, NAMES_MS);
  }

  async function readPending(): Promise<void> {
    if (isReading) return;
    isReading = true;
    try {
      for (let next = take(pending); next; next = take(pending)) {
        const { botId, conversationIds } = next;
        const rows = await read(botId, conversationIds);
        // A page that is being loaded replaces the list as it was before.
        await queries
          .getQueryCache()
          .find({ queryKey, exact: true })
          ?.promise?.catch(() => undefined);
        queries.setQueryData<Data>(
          queryKey,
          data => data && { ...data, pages: withChanges(data.pages, conversationIds, rows, listing) },
        );
      }
    } catch {
      void reload().catch(() => undefined);
    } finally {
      isReading = false;
    }
  }

  return {
    async onNotice({ botId, topics, conversationIds }: Notice): Promise<void> {
      if (botIds.length > 0 && !botIds.includes(botId)) return;
      if (topics.includes('users')) planReload();
      if (!conversationIds) return topics.includes('users') && topics.length === 1 ? undefined : reload();
      const shown = new Set(pages().flatMap(({ items }) => items.map(row => row.conversationId)));
      // Other topics change what a row shows, but not which rows there are, unless a label decides.
      const isAny = topics.includes('handoffs') || (listing.labelId !== undefined && topics.includes('conversations'));
      const changed = isAny ? conversationIds : conversationIds.filter(id => shown.has(id));
      if (changed.length === 0) return;
      pending.set(botId, new Set([...(pending.get(botId) ?? []), ...changed]));
      await readPending();
    },
    reload,
  };
}

const firstPages = ({ pages, pageParams }: Data): Data => ({
  pages: pages.slice(0, RELOADED_PAGES),
  pageParams: pageParams.slice(0, RELOADED_PAGES),
});

function take(pending: Map<string, Set<string>>): { botId: string; conversationIds: string[] } | undefined {
  const [first] = pending;
  if (!first) return undefined;
  const [botId, ids] = first;
  const conversationIds = [...ids].slice(0, BATCH);
  for (const id of conversationIds) ids.delete(id);
  if (ids.size === 0) pending.delete(botId);
  return { botId, conversationIds };
}
