/** Tests that a column becomes the key of a table with rows while other callers write. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { clock } from '#shared/core/clock.ts';
import * as keys from '#shared/domain/tables/rows/buildUniqueKeys.ts';
import { requireTableWithIds } from '#shared/storage/dynamodb/tables/tables.ts';
import { newBot, type TestBot, useSharedPlatform } from '#test/support/platform.ts';
import { newTable } from '#test/support/rowInternals.ts';

useSharedPlatform();
afterEach(() => vi.restoreAllMocks());

const ROWS = Array.from({ length: 250 }, (_, i) => ({ name: `n${i}` }));
let bot: TestBot;
let table: string;
beforeEach(async () => {
  bot = await newBot();
  ({ id: table } = await newTable(bot.client, { name: 'Ada' }));
  await bot.client.createTableRows({ table, rows: ROWS });
});

const keyIs = async (name: string | null) => expect((await bot.client.getTable({ table })).table.keyColumn).toBe(name);
const errorsOf = async (name: string) => (await bot.client.createTableRows({ table, rows: [{ name }] })).errors;

/** Writes between the build of all entries and the change of the key. */
function meanwhile(write: () => Promise<unknown>) {
  const { buildUniqueKeys } = keys;
  vi.spyOn(keys, 'buildUniqueKeys').mockImplementationOnce(async source => {
    await buildUniqueKeys(source);
    await write();
  });
}

it('includes rows that are written during the build', async () => {
  meanwhile(() => bot.client.createTableRows({ table, rows: [{ name: 'late' }] }));

  await bot.client.updateTable({ table, keyColumn: 'name' });

  await keyIs('name');
  for (const name of ['n0', 'n249', 'late']) expect(await errorsOf(name)).toHaveLength(1);
  expect(await errorsOf('new')).toBeUndefined();
});

it('leaves the table without the key when a duplicate value is written during the build', async () => {
  meanwhile(() => bot.client.createTableRows({ table, rows: [{ name: 'n7' }] }));

  await expect(bot.client.updateTable({ table, keyColumn: 'name' })).rejects.toMatchObject({
    code: 400,
    message: expect.stringContaining('Several rows have the name "n7"'),
  });

  await keyIs(null);
  expect(await errorsOf('n8')).toBeUndefined();
});

it('changes nothing when time runs out, and continues when repeated', async () => {
  const { buildUniqueKeys } = keys;
  vi.spyOn(keys, 'buildUniqueKeys').mockImplementationOnce(source => buildUniqueKeys({ ...source, deadlineMs: 0 }));

  await expect(bot.client.updateTable({ table, keyColumn: 'name' })).rejects.toMatchObject({
    code: 413,
    type: 'LimitExceeded',
    message: expect.stringContaining('Repeat the call'),
  });
  await keyIs(null);
  await bot.client.updateTable({ table, keyColumn: 'name' });

  await keyIs('name');
  expect(await errorsOf('n100')).toHaveLength(1);
});

it('does not rebuild existing entries', async () => {
  await bot.client.updateTable({ table, keyColumn: 'name' });
  const { table: keyed, lastId } = await requireTableWithIds(bot.id, table);
  const writing = await import('#shared/storage/dynamodb/engine/transaction.ts');
  const write = vi.spyOn(writing, 'write');

  await keys.buildUniqueKeys({
    bot: { id: bot.id, workspaceId: bot.workspace.id },
    table: keyed,
    lastId,
    deadlineMs: clock.now() + 20_000,
  });

  expect(write).not.toHaveBeenCalled();
});
