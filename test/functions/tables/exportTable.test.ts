/** The file and the job are tested in `test/shared/domain/tables/jobs/export`. */
import { beforeAll, describe, expect, it } from 'vitest';
import { eventually, newBot, type TestBot, useSharedPlatform } from '#test/support/platform.ts';
import { newTableName } from '#test/support/requests/tables.ts';

useSharedPlatform();

let bot: TestBot;
let table: string;
beforeAll(async () => {
  bot = await newBot();
  table = (await bot.client.createTable({ name: newTableName(), schema: { name: 'x', n: 1 } })).table.name;
  await bot.client.createTableRows({ table, rows: [{ name: 'a, "b"', n: 1 }, { n: 2 }] });
});

async function ended(id: string, of = table) {
  return eventually(async () => {
    const { jobs } = await bot.client.getTableJobs({ table: of });
    const job = jobs.find(each => each.id === id)!;
    expect(['completed', 'failed']).toContain(job.status);
    return job;
  });
}

describe('GET /tables/{table}/export', () => {
  it('returns a job that writes the rows to a file', async () => {
    const { job } = await bot.client.exportTable({ table });
    expect(job).toMatchObject({
      type: 'export',
      status: 'pending',
      botId: bot.id,
      inputFileId: null,
      outputFileId: null,
    });

    const { outputFileId, ...end } = await ended(job.id);

    expect(end).toMatchObject({ status: 'completed', progress: 100 });
    const { file } = await bot.client.getFile({ id: outputFileId! });
    const response = await fetch(file.url);
    const [header, ...lines] = (await response.text()).trim().split(/\r?\n/);
    expect(response.headers.get('content-disposition')).toBe(`inline; filename=${file.key.split('/').at(-1)}`);
    expect(header).toContain('name,n');
    expect(lines).toHaveLength(2);
    expect(lines[0]).toContain('"a, ""b""",1');
  });

  it('escapes formulas unless disabled, and an import restores the same rows', async () => {
    const texts = ['=HYPERLINK("http://x")', '+1', '-1', '@a', '\t=1', '\r=1', "'=1", "''+1", "'quoted'", 'a=1', ' =1'];
    const schema = { name: 'x', n: 1 };
    const source = (await bot.client.createTable({ name: newTableName(), schema })).table.name;
    await bot.client.createTableRows({ table: source, rows: texts.map(name => ({ name, n: -1 })) });
    const exported = async (query: string) => {
      const { body } = await bot.callTables('GET', `/${source}/export${query}`);
      const { outputFileId } = await ended(body.job.id, source);
      const { file } = await bot.client.getFile({ id: outputFileId! });
      return { id: file.id, text: await (await fetch(file.url)).text() };
    };
    const namesAfterImport = async (fileId: string) => {
      const target = (await bot.client.createTable({ name: newTableName(), schema })).table.name;
      const { job } = await bot.client.importTable({ table: target, fileId });
      await ended(job.id, target);
      const { rows } = await bot.client.findTableRows({ table: target, orderBy: 'id' });
      return rows.map(({ name, n }) => [name, n]);
    };

    const [safe, raw] = [await exported(''), await exported('?raw=true')];
    const imported = [await namesAfterImport(safe.id), await namesAfterImport(raw.id)];

    const firstOf = (text: string) => [...text.matchAll(/^\d+,"?([\s\S])/gm)].map(match => match[1]);
    expect(firstOf(safe.text)).toEqual(["'", "'", "'", "'", "'", "'", "'", "'", "'", 'a', ' ']);
    expect(safe.text).toContain(`1,"'=HYPERLINK(""http://x"")",-1,`);
    expect(raw.text).toContain(`1,"=HYPERLINK(""http://x"")",-1,`);
    expect(imported).toEqual([texts.map(name => [name, -1]), texts.map(name => [name, -1])]);
  });

  it('returns 400 for an unknown format and 404 for an unknown table', async () => {
    expect((await bot.callTables('GET', `/${table}/export?format=xml`)).status).toBe(400);
    expect((await bot.callTables('GET', '/nothingTable/export')).status).toBe(404);
  });
});
