/** Tests that deleting a table or bot removes all rows. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { sweepDeleted } from '#functions/events/sweepDeleted.ts';
import { mapConcurrently } from '#shared/core/concurrency.ts';
import { write } from '#shared/storage/dynamodb/engine/transaction.ts';
import { allocateIds, putRow } from '#shared/storage/dynamodb/tables/rowWrites.ts';
import { eventually, newBot, settled, type TestBot, usePlatform } from '#test/support/platform.ts';
import { recordLog } from '#test/support/recordLog.ts';
import { computed, expectCounts, newTable, searchable, vectorsOf } from '#test/support/rowInternals.ts';
import { sweep } from '#test/support/sweeps.ts';
import { scanItems } from '#test/support/tableItems.ts';

usePlatform();
afterEach(() => vi.restoreAllMocks());

let bot: TestBot;
beforeEach(async () => {
  bot = await newBot();
});

/** Creates a table with all optional data, and rows in several parts. */
async function fullTable() {
  const schema = {
    name: searchable,
    n: 0,
    double: computed('number', { action: 'code', code: 'row.n * 2' }),
  };
  const { id } = await newTable(bot.client, schema, { keyColumn: 'name' });
  for (const from of [0, 100]) {
    const rows = Array.from({ length: 80 }, (_, i) => ({ name: `okapi ${from + i}`, n: i }));
    await bot.client.createTableRows({ table: id, rows });
    await allocateIds(bot.id, id, 1_000);
  }
  await expectCounts(bot.client, id, { rows: 160 });
  expect((await vectorsOf(bot.id, id)).length).toBeGreaterThan(0);
  return id;
}

describe('a table that was deleted', () => {
  it('deletes everything, and does not change other tables', { timeout: 90_000 }, async () => {
    const id = await fullTable();
    const { id: other } = await newTable(bot.client, { name: searchable }, { keyColumn: 'name' });
    await bot.client.createTableRows({ table: other, rows: [{ name: 'okapi' }] });
    await expectCounts(bot.client, other, { rows: 1 });

    await bot.client.deleteTable({ table: id });

    await eventually(async () => expect(await scanItems(id)).toEqual([]), 30_000);
    await eventually(async () => expect(await vectorsOf(bot.id, id)).toEqual([]));
    expect(await vectorsOf(bot.id, other)).toEqual(['1']);
    expect((await bot.client.findTableRows({ table: other })).rows).toHaveLength(1);
    expect((await bot.client.createTableRows({ table: other, rows: [{ name: 'okapi' }] })).errors).toHaveLength(1);
  });

  it('deletes everything despite repeated interruptions and a late row', async () => {
    const { id } = await newTable(bot.client, { name: searchable }, { keyColumn: 'name' });
    await bot.client.createTableRows({ table: id, rows: [{ name: 'okapi' }] });
    await expectCounts(bot.client, id, { rows: 1 });
    vi.spyOn(sweepDeleted, 'handle').mockResolvedValue();
    await bot.client.deleteTable({ table: id });
    const job = { kind: 'table', botId: bot.id, tableId: id, isSecondPass: false } as const;

    for (const pieces of [0, 1, 5, 20]) await sweep(job, pieces);
    await sweep(job);
    const row = {
      id: 7,
      createdAtMs: 1,
      updatedAtMs: 1,
      version: 1,
      values: {},
      cells: {},
      pending: [],
      isUnindexed: true,
    };
    await write([putRow(bot.id, id, row)]);
    await settled();
    await sweep({ ...job, isSecondPass: true });

    expect(await scanItems(id)).toEqual([]);
    expect(await vectorsOf(bot.id, id)).toEqual([]);
  });
});

it('deletes the tables of a deleted bot', { timeout: 90_000 }, async () => {
  const { client: admin } = bot.workspace.owner;
  await admin.updateBot({ id: bot.id, subscriptions: { events: { table_row_deleted: {} } } });
  const id = await fullTable();
  await bot.client.deleteTableRows({ table: id, ids: [1, 2] });
  await eventually(async () => {
    expect((await bot.client.listEvents({ type: 'table_row_deleted' })).events).toHaveLength(2);
  });
  const { id: gone } = await newTable(bot.client, { a: '' });
  await bot.client.createTableRows({ table: gone, rows: [{ a: 'a' }] });
  await bot.client.deleteTable({ table: gone });
  await eventually(async () => expect(await scanItems(gone)).toEqual([]), 30_000);
  // Disables automatic sweeps.
  vi.spyOn(sweepDeleted, 'handle').mockResolvedValue();

  await admin.deleteBot({ id: bot.id });
  for (const pieces of [3, 30]) await sweep({ kind: 'bot', botId: bot.id, isSecondPass: true }, pieces);
  await sweep({ kind: 'bot', botId: bot.id, isSecondPass: true });

  await eventually(async () => expect(await scanItems(bot.id)).toEqual([]), 30_000);
  expect(await vectorsOf(bot.id, id)).toEqual([]);
});

/** `DELETED_ROWS=100000 npx vitest run test/shared/events/cleanup/sweepTable.test.ts` deletes more. */
const DELETED_ROWS = Number(process.env.DELETED_ROWS ?? 2_100);

it(`deletes ${DELETED_ROWS} rows of a deleted bot without dead letters`, {
  timeout: 120_000 + DELETED_ROWS * 10,
}, async () => {
  const logged = recordLog();
  const { id } = await newTable(bot.client, { name: 'a' });
  const calls = Array.from({ length: Math.ceil(DELETED_ROWS / 1_000) }, (_, i) =>
    Math.min(1_000, DELETED_ROWS - i * 1_000),
  );
  await mapConcurrently(calls, 4, length =>
    bot.client.createTableRows({ table: id, rows: Array.from({ length }, (_, i) => ({ name: `okapi ${i}` })) }),
  );
  await expectCounts(bot.client, id, { rows: DELETED_ROWS });

  await bot.workspace.owner.client.deleteBot({ id: bot.id });

  await eventually(
    async () => {
      await settled();
      expect(await scanItems(id)).toEqual([]);
    },
    60_000 + DELETED_ROWS * 10,
  );
  const processed = logged.entries.filter(({ message }) => message === 'Processed changes of the table.');
  expect(processed.length).toBeGreaterThan(0);
  expect(processed.filter(({ deadLetters }) => deadLetters !== 0)).toEqual([]);
  expect(logged.errors).toEqual([]);
});
