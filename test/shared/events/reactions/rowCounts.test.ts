/** Tests that counts of rows are exact for concurrent writers and a redelivering stream. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { eventually, newBot, newWorkspace, settled, type TestBot, useSharedPlatform } from '#test/support/platform.ts';
import { expectCounts, newTable, redeliverChanges } from '#test/support/rowInternals.ts';

useSharedPlatform();
afterEach(() => vi.restoreAllMocks());

let bot: TestBot;
beforeEach(async () => {
  bot = await newBot();
});

/** Returns the usage of the workspace and of the bot. */
async function usage({ workspace, id }: TestBot = bot) {
  const levelOf = async (of: string) =>
    (await workspace.owner.client.getUsage({ id: of, type: 'table_row_count' })).usage.value;
  return { workspace: await levelOf(workspace.id), bot: await levelOf(id) };
}
const expectUsage = (rows: number) =>
  eventually(async () => expect(await usage()).toEqual({ workspace: rows, bot: rows }));

const rowsOf = (count: number, from = 0) => Array.from({ length: count }, (_, i) => ({ n: from + i }));

describe('the counts of a table', () => {
  it('is exact when fifty callers write and delete concurrently', { timeout: 60_000 }, async () => {
    const { id: table } = await newTable(bot.client, { n: 0 });

    await Promise.all(
      Array.from({ length: 50 }, async (_, i) => {
        const { rows } = await bot.client.createTableRows({ table, rows: rowsOf(i % 2 === 0 ? 5 : 30, i * 100) });
        await bot.client.deleteTableRows({ table, ids: rows.slice(0, 3).map(({ id }) => id) });
      }),
    );

    await expectCounts(bot.client, table, { rows: 25 * 2 + 25 * 27 });
    await expectUsage(725);
  });

  it('includes each change once, although the stream delivers it repeatedly', async () => {
    redeliverChanges();
    const { id: table } = await newTable(bot.client, { n: 0 });

    const { rows } = await bot.client.createTableRows({ table, rows: rowsOf(40) });
    await bot.client.deleteTableRows({ table, ids: rows.slice(0, 15).map(({ id }) => id) });
    await bot.client.createTableRows({ table, rows: rowsOf(3) });

    await settled();
    await expectCounts(bot.client, table, { rows: 28 });
    await expectUsage(28);
  });

  it('does not change with updates, or when an unknown row is deleted', async () => {
    const { id: table } = await newTable(bot.client, { n: 0 });
    await bot.client.createTableRows({ table, rows: rowsOf(3) });

    await bot.client.updateTableRows({ table, rows: [{ id: 1, n: 9 }] });
    await bot.client.deleteTableRows({ table, ids: [2, 99] });

    await settled();
    await expectCounts(bot.client, table, { rows: 2 });
  });

  it('multiplies rows by the factor, even when it grows during writes', async () => {
    const { id: table } = await newTable(bot.client, { n: 0 }, { factor: 2 });
    const growing = (async () => {
      for (const factor of [3, 5]) await bot.client.updateTable({ table, factor });
    })();

    await Promise.all([
      growing,
      ...Array.from({ length: 20 }, () => bot.client.createTableRows({ table, rows: rowsOf(2) })),
    ]);

    await expectCounts(bot.client, table, { rows: 40 });
    await expectUsage(200);
  });

  it('is reverted when the table is deleted during writes', async () => {
    const { id: table } = await newTable(bot.client, { n: 0 });
    const { id: other } = await newTable(bot.client, { n: 0 });
    await bot.client.createTableRows({ table: other, rows: rowsOf(4) });
    const writing = Promise.allSettled(
      Array.from({ length: 20 }, () => bot.client.createTableRows({ table, rows: rowsOf(20) })),
    );

    await bot.client.deleteTable({ table });
    await writing;

    await settled();
    await expectUsage(4);
  });
});

describe('the counts of a bot', () => {
  it('moves with the bot to another workspace', async () => {
    const target = await newWorkspace('Target');
    const { owner } = bot.workspace;
    const { account } = await owner.client.getAccount({});
    const { body } = await target.call('POST', '/workspace-members', {
      body: { email: account.email, role: 'administrator' },
    });
    await target.call('POST', '/invitations/join', {
      token: owner.token,
      body: { inviteToken: body.inviteToken },
    });
    const { id: table } = await newTable(bot.client, { n: 0 }, { factor: 3 });
    await bot.client.createTableRows({ table, rows: rowsOf(10) });
    await expectUsage(30);

    // A private integration would prevent the transfer, which also ends the bot's keys.
    await owner.client.updateIntegration({ id: bot.integrationId, visibility: 'unlisted' });
    await owner.client.transferBot({ id: bot.id, targetWorkspaceId: target.id });
    await bot.clientOf(owner.token).createTableRows({ table, rows: rowsOf(2) });

    await eventually(async () => expect((await usage({ ...bot, workspace: target })).workspace).toBe(36));
    const left = await owner.client.getUsage({ id: bot.workspace.id, type: 'table_row_count' });
    expect(left.usage.value).toBe(0);
  });

  it('is reverted when the bot is deleted', async () => {
    const { id: table } = await newTable(bot.client, { n: 0 });
    await bot.client.createTableRows({ table, rows: rowsOf(10) });
    await expectUsage(10);

    await bot.workspace.owner.client.deleteBot({ id: bot.id });

    await settled();
    const { owner, id } = bot.workspace;
    expect((await owner.client.getUsage({ id, type: 'table_row_count' })).usage.value).toBe(0);
  });
});
