import { beforeAll, describe, expect, it } from 'vitest';
import { CROWD, crowds, newBot, type TestBot, useSharedPlatform } from '#test/support/platform.ts';
import { newTableName } from '#test/support/requests/tables.ts';

useSharedPlatform();

let bot: TestBot;
beforeAll(async () => {
  bot = await newBot();
});

const newTable = async (more: object = {}) =>
  (await bot.client.createTable({ name: newTableName(), schema: { email: 'x', n: 1 }, ...more })).table.name;

describe('POST /tables/{table}/rows/upsert', () => {
  it('matches rows by their ids', async () => {
    const table = await newTable();
    await bot.client.createTableRows({ table, rows: [{ n: 1 }] });

    const answer = await bot.client.upsertTableRows({ table, rows: [{ id: 1, n: 2 }, { n: 3 }, { id: 77, n: 4 }] });

    expect(answer.updated).toMatchObject([{ id: 1, n: 2 }]);
    expect(answer.inserted).toMatchObject([
      { id: 2, n: 3 },
      { id: 3, n: 4 },
    ]);
    expect(answer.warnings).toEqual([expect.stringMatching(/rows\[2\].*77/)]);
  });

  it.each([
    ['the key of the table', { keyColumn: 'email' }],
    ['any other column', {}],
  ])('matches rows by %s', async (_, more) => {
    const table = await newTable(more);
    await bot.client.createTableRows({ table, rows: [{ email: 'a', n: 1 }] });

    const answer = await bot.client.upsertTableRows({
      table,
      keyColumn: 'email',
      rows: [{ email: 'a', n: 2 }, { email: 'b', n: 3 }, { email: 'b', n: 4 }, { n: 5 }, { email: 'c', n: 'x' }],
    });

    expect(answer.updated).toMatchObject([{ id: 1, email: 'a', n: 2 }]);
    expect(answer.inserted).toMatchObject([{ email: 'b', n: 4 }]);
    expect(answer.errors).toHaveLength(2);
    expect(answer.errors!.join('\n')).toMatch(/rows\[3\].*email/);
    expect(answer.errors!.join('\n')).toMatch(/rows\[4\].*n/);
    const { rows } = await bot.client.findTableRows({ table });
    expect(rows).toMatchObject([
      { email: 'a', n: 2 },
      { email: 'b', n: 4 },
    ]);
  });

  it.each([
    ['the key of the table', { keyColumn: 'email' }],
    ['any other column', {}],
  ])('creates one row for concurrent callers, by %s', async (_, more) => {
    const table = await newTable(more);

    const answers = await crowds(Math.min(50, CROWD), n =>
      bot.client.upsertTableRows({ table, keyColumn: 'email', rows: [{ email: 'ada@x', n }] }),
    );

    expect(answers.flatMap(({ errors = [] }) => errors)).toEqual([]);
    expect(answers.flatMap(({ inserted }) => inserted)).toHaveLength(1);
    expect(answers.flatMap(({ updated }) => updated)).toHaveLength(answers.length - 1);
    expect((await bot.client.findTableRows({ table })).rows).toHaveLength(1);
  });

  it('rejects a value that several rows have', async () => {
    const table = await newTable();
    await bot.client.createTableRows({ table, rows: [{ email: 'a' }, { email: 'a' }] });

    const answer = await bot.client.upsertTableRows({ table, keyColumn: 'email', rows: [{ email: 'a', n: 1 }] });

    expect(answer).toMatchObject({ inserted: [], updated: [], errors: [expect.stringMatching(/several rows/i)] });
  });

  it('returns 400 for an unknown column and for a column that cannot be a key', async () => {
    const { table } = await bot.client.createTable({ name: newTableName(), schema: { a: {} } });

    for (const keyColumn of ['b', 'a']) {
      const answer = await bot.callTables('POST', `/${table.name}/rows/upsert`, { body: { keyColumn, rows: [{}] } });
      expect(answer).toMatchObject({ status: 400, body: { type: 'InvalidPayload' } });
    }
  });
});
