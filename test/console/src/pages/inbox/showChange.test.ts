import { type InfiniteData, QueryClient } from '@tanstack/react-query';
import { expect, it } from 'vitest';
import type { Handoff, InboxRow } from '#console/src/api/contract.ts';
import type { Listing, RowsPage } from '#console/src/pages/inbox/inboxRows.ts';
import { showChange } from '#console/src/pages/inbox/showChange.ts';

const WAITING: InboxRow = {
  id: 'handoff_one',
  botId: 'bot',
  conversationId: 'one',
  status: 'waiting',
  startedAt: '2030-01-01T00:00:01.000Z',
  startedBy: { type: 'bot', id: 'b', name: 'Bot' },
  updatedAt: '2030-01-01T00:00:01.000Z',
  priority: 'normal',
  isUnread: false,
};
const TAKEN: Handoff = { ...WAITING, status: 'served', member: { id: 'me', name: 'Olivia', userId: 'user' } };

function listsOf(views: readonly Listing['view'][]) {
  const queries = new QueryClient();
  const keyOf = (view: string, workspaceId = 'workspace') => [
    ...['inbox', workspaceId, 'list'],
    { view, direction: 'asc', ownId: 'me', botIds: [] },
  ];
  const put = (queryKey: readonly unknown[], items: InboxRow[]) =>
    queries.setQueryData<InfiniteData<RowsPage, undefined>>(queryKey, {
      pages: [{ items, nextToken: undefined }],
      pageParams: [undefined],
    });
  for (const view of views) put(keyOf(view), view === 'mine' ? [] : [WAITING]);
  put(keyOf('open', 'other'), [WAITING]);
  const shown = (view: string, workspaceId?: string) =>
    queries
      .getQueryData<InfiniteData<RowsPage>>(keyOf(view, workspaceId))!
      .pages.flatMap(({ items }) => items.map(({ status }) => status));
  return { queries, shown };
}

it('moves a row from the queue to the own conversations, and changes it where it stays', () => {
  const { queries, shown } = listsOf(['waiting', 'mine', 'open']);

  showChange(queries, 'workspace', TAKEN);

  expect([shown('waiting'), shown('mine'), shown('open')]).toEqual([[], ['served'], ['served']]);
  expect(shown('open', 'other')).toEqual(['waiting']);
});

it('leaves lists without the row to their notice', () => {
  const { queries, shown } = listsOf(['waiting']);

  showChange(queries, 'workspace', { ...TAKEN, id: 'handoff_other' });

  expect(shown('waiting')).toEqual(['waiting']);
});
