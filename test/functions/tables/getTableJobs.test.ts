import { beforeAll, describe, expect, it } from 'vitest';
import { newBot, type TestBot, useSharedPlatform } from '#test/support/platform.ts';
import { newTableName } from '#test/support/requests/tables.ts';

useSharedPlatform();

let bot: TestBot;
beforeAll(async () => {
  bot = await newBot();
});

describe('GET /tables/{table}/jobs', () => {
  it('lists the jobs of the table, newest first, and none of another table', async () => {
    const [one, other] = [newTableName(), newTableName()];
    for (const name of [one, other]) await bot.client.createTable({ name, schema: { a: 1 } });
    expect((await bot.client.getTableJobs({ table: one })).jobs).toEqual([]);
    const first = await bot.client.exportTable({ table: one });
    const second = await bot.client.exportTable({ table: one, format: 'json' });
    await bot.client.exportTable({ table: other });

    const { jobs } = await bot.client.getTableJobs({ table: one });

    expect(jobs.map(({ id }) => id)).toEqual([second.job.id, first.job.id]);
  });

  it('returns 404 for an unknown table', async () => {
    expect((await bot.callTables('GET', '/nothingTable/jobs')).status).toBe(404);
  });
});
