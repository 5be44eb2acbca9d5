/** Reads of an inbox list that notices cause. */
import { type InfiniteData, QueryClient, QueryObserver } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { InboxRow } from '#console/src/api/contract.ts';
import { followInbox } from '#console/src/pages/inbox/followInbox.ts';
import type { RowsPage } from '#console/src/pages/inbox/inboxRows.ts';

const row = (conversationId: string, second: number): InboxRow => ({
  id: `handoff_${conversationId}`,
  botId: 'bot',
  conversationId,
  status: 'waiting',
  startedAt: `2030-01-01T00:00:0${second}.000Z`,
  startedBy: { type: 'bot', id: 'b', name: 'Bot' },
  updatedAt: `2030-01-01T00:00:0${second}.000Z`,
  priority: 'normal',
  isUnread: false,
});

const queryKey = ['inbox', 'workspace', 'list'];
let queries: QueryClient;
let stop = () => {};
beforeEach(() => {
  queries = new QueryClient();
  queries.setQueryData<InfiniteData<RowsPage, undefined>>(queryKey, {
    pages: [{ items: [row('one', 1)], nextToken: undefined }],
    pageParams: [undefined],
  });
});
afterEach(() => {
  stop();
  vi.useRealTimers();
});

function follow(rows: Record<string, InboxRow>, botIds: string[] = []) {
  const read = vi.fn(async (_botId: string, ids: readonly string[]) => ids.flatMap(id => rows[id] ?? []));
  const listing = { view: 'waiting', direction: 'asc', ownId: 'me', botIds } as const;
  const following = followInbox({ queries, queryKey, botIds, read, listing });
  const notice = (topics: string[], conversationIds?: string[]) =>
    following.onNotice({ botId: 'bot', topics, ...(conversationIds ? { conversationIds } : {}) });
  return { read, notice };
}

/** Observes the list as the page does. @returns the number of times that it is read */
function observe() {
  const queryFn = vi.fn(async () => queries.getQueryData(queryKey));
  const observer = new QueryObserver(queries, { queryKey, queryFn, staleTime: Number.POSITIVE_INFINITY });
  stop = observer.subscribe(() => {});
  return queryFn;
}

const listed = () =>
  queries
    .getQueryData<InfiniteData<RowsPage>>(queryKey)!
    .pages.flatMap(({ items }) => items.map(({ conversationId }) => conversationId));

it('reads the conversations that a notice of handoffs names, and nothing else', async () => {
  const reload = observe();
  const { read, notice } = follow({ two: row('two', 2) });

  await notice(['handoffs', 'conversations'], ['two']);

  expect(read.mock.calls).toEqual([['bot', ['two']]]);
  expect(listed()).toEqual(['one', 'two']);
  expect(reload).not.toHaveBeenCalled();
});

it('reads only listed conversations after messages', async () => {
  const { read, notice } = follow({ one: row('one', 1) });

  await notice(['conversations'], ['one', 'three']);
  await notice(['conversations'], ['three']);

  expect(read.mock.calls).toEqual([['bot', ['one']]]);
});

it('combines the notices that arrive during a read', async () => {
  const { read, notice } = follow({});

  await Promise.all([notice(['handoffs'], ['a']), notice(['handoffs'], ['b']), notice(['handoffs'], ['c', 'b'])]);
  await expect.poll(() => read).toHaveBeenCalledTimes(2);

  expect(read.mock.calls.map(([, ids]) => ids)).toEqual([['a'], ['b', 'c']]);
});

it('reads the list again when too many conversations changed, and when a read fails', async () => {
  const reload = observe();
  const { read, notice } = follow({});

  await notice(['handoffs']);
  expect(reload).toHaveBeenCalledTimes(1);
  read.mockRejectedValueOnce(new Error('503'));
  await notice(['handoffs'], ['two']);

  await expect.poll(() => reload).toHaveBeenCalledTimes(2);
});

it('reads names again once in half a minute, however many visitors arrive', async () => {
  vi.useFakeTimers();
  const reload = observe();
  const { notice } = follow({});

  for (let i = 0; i < 20; i++) await notice(['users'], []);
  await vi.advanceTimersByTimeAsync(30_000);

  expect(reload).toHaveBeenCalledTimes(1);
});

it('ignores bots that the list does not contain', async () => {
  const { read, notice } = follow({}, ['other']);

  await notice(['handoffs'], ['two']);

  expect(read).not.toHaveBeenCalled();
});
