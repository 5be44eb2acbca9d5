import { expect, it, vi } from 'vitest';
import type { InboxRow } from '#console/src/api/contract.ts';
import { joinReads } from '#console/src/api/joinReads.ts';

const rowsOf = vi.fn(async (botId: string, ids: readonly string[]) =>
  ids.map(conversationId => ({ botId, conversationId }) as InboxRow),
);

it('reads by one request what several parts need at the same time', async () => {
  rowsOf.mockClear();
  const read = joinReads(rowsOf);

  const [inbox, alerts, other] = await Promise.all([
    read('bot', ['one', 'two']),
    read('bot', ['two', 'three']),
    read('other', ['four']),
  ]);

  expect(rowsOf.mock.calls).toEqual([
    ['bot', ['one', 'two', 'three']],
    ['other', ['four']],
  ]);
  expect([inbox, alerts, other].map(rows => rows.map(row => row.conversationId))).toEqual([
    ['one', 'two'],
    ['two', 'three'],
    ['four'],
  ]);
});

it('reads again later, and at most 100 conversations by a request', async () => {
  rowsOf.mockClear();
  const read = joinReads(rowsOf);
  const ids = (prefix: string) => Array.from({ length: 60 }, (_, i) => `${prefix}${i}`);

  await Promise.all([read('bot', ids('a')), read('bot', ids('b'))]);
  await read('bot', ['a0']);

  expect(rowsOf.mock.calls.map(([, each]) => each.length)).toEqual([60, 60, 1]);
});
