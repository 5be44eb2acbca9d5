/** The formats and the job are tested in `test/shared/domain/tables/jobs/import`. */
import { beforeAll, describe, expect, it } from 'vitest';
import { eventually, newBot, type TestBot, useSharedPlatform } from '#test/support/platform.ts';
import { newTableName } from '#test/support/requests/tables.ts';

useSharedPlatform();

let bot: TestBot;
beforeAll(async () => {
  bot = await newBot();
});

const newTable = async () =>
  (await bot.client.createTable({ name: newTableName(), schema: { name: 'x', n: 1 } })).table.name;

describe('POST /tables/{table}/import', () => {
  it('returns a job that adds the valid rows and lists the errors of the others', async () => {
    const table = await newTable();
    await bot.client.createTableRows({ table, rows: [{ name: 'there', n: 0 }] });
    const content = 'name,n\nAda,1\nBob,two\n"Cyd, the third",3\n';
    const { file } = await bot.client.uploadFile({ key: `${table}.csv`, content });
    await eventually(async () =>
      expect((await bot.client.getFile({ id: file.id })).file.status).toBe('upload_completed'),
    );

    const { job } = await bot.client.importTable({ table, fileId: file.id });
    expect(job).toMatchObject({ type: 'import', status: 'pending', inputFileId: file.id, outputFileId: null });

    const end = await eventually(async () => {
      const [latest] = (await bot.client.getTableJobs({ table })).jobs;
      expect(latest).toMatchObject({ id: job.id, status: 'completed', progress: 100 });
      return latest!;
    });
    const { rows } = await bot.client.findTableRows({ table });
    expect(rows).toMatchObject([{ name: 'there' }, { name: 'Ada', n: 1 }, { name: 'Cyd, the third', n: 3 }]);
    const { file: errors } = await bot.client.getFile({ id: end.outputFileId! });
    expect(await (await fetch(errors.url)).text()).toMatch(/\bn\b/);
  });

  it('accepts a file right after its upload, before the object event is processed', async () => {
    const table = await newTable();
    const { file } = await bot.client.uploadFile({ key: `${table}.csv`, content: 'name,n\nAda,1\n' });

    const { job } = await bot.client.importTable({ table, fileId: file.id });

    await eventually(async () =>
      expect((await bot.client.getTableJobs({ table })).jobs).toMatchObject([{ id: job.id, status: 'completed' }]),
    );
    expect((await bot.client.findTableRows({ table })).rows).toMatchObject([{ name: 'Ada', n: 1 }]);
  });

  it('rejects an unknown file, and one that was never uploaded', async () => {
    const table = await newTable();
    const { file } = await bot.client.upsertFile({ key: `${table}.csv`, size: 10 });

    expect((await bot.callTables('POST', `/${table}/import`, { body: { fileId: 'nothing.csv' } })).status).toBe(404);
    expect((await bot.callTables('POST', `/${table}/import`, { body: { fileId: file.id } })).status).toBe(400);
    expect((await bot.callTables('POST', `/${table}/import`, { body: {} })).status).toBe(400);
    expect((await bot.callTables('POST', '/nothingTable/import', { body: { fileId: file.id } })).status).toBe(404);
  });
});
