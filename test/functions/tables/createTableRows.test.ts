import { randomBytes } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from 'vitest';
import { apiBaseUrl, CROWD, call, crowds, newBot, type TestBot, useSharedPlatform } from '#test/support/platform.ts';
import { newTableName } from '#test/support/requests/tables.ts';

useSharedPlatform();

let bot: TestBot;
beforeAll(async () => {
  bot = await newBot();
});

const SCHEMA = {
  name: 'Ada',
  age: 36,
  isAdult: true,
  born: '1815-12-10T00:00:00Z',
  address: { city: 'x' },
  list: ['a'],
};
const newTable = async (schema: Record<string, unknown> = SCHEMA, more: object = {}) =>
  (await bot.client.createTable({ name: newTableName(), schema, ...more })).table.name;

describe('POST /tables/{table}/rows', () => {
  it('creates rows with values of every type and ascending ids', async () => {
    const table = await newTable();
    const full = {
      name: 'Grüße 🐙',
      age: -1.5e200,
      isAdult: false,
      born: '2020-02-29T12:00:00+02:00',
      address: { city: 'Bern', constructor: [1, null] },
      list: [],
    };

    const { rows, warnings, errors } = await bot.client.createTableRows({ table, rows: [full, {}] });

    expect({ warnings, errors }).toEqual({ warnings: undefined, errors: undefined });
    expect(rows[0]).toEqual({
      ...full,
      born: '2020-02-29T10:00:00.000Z',
      id: 1,
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
      computed: {},
      stale: [],
    });
    expect(rows[1]).toMatchObject({
      id: 2,
      name: null,
      age: null,
      isAdult: null,
      born: null,
      address: null,
      list: null,
    });
    expect((await bot.client.findTableRows({ table })).rows).toEqual(rows);
    expect((await bot.client.getTableRow({ table, id: 1 })).row).toEqual(rows[0]);
  });

  it('reports the row whose value is too long for its pattern, and creates the others', async () => {
    const slow = { type: 'string', pattern: '^(a|b)*a(a|b){300}$' };
    const table = await newTable({ type: 'object', properties: { slow } });

    const { rows, errors } = await bot.client.createTableRows({
      table,
      rows: [{ slow: 'ab'.repeat(50_000) }, { slow: `${'ab'.repeat(200)}a` }],
    });

    expect(rows).toHaveLength(1);
    expect(errors).toEqual([expect.stringContaining('could not be checked in time')]);
  });

  it('creates the valid rows and reports the errors of the others', async () => {
    const table = await newTable({
      type: 'object',
      properties: {
        email: { type: 'string', pattern: '^[^@]+@[^@]+$' },
        color: { type: 'string', enum: ['red', 'blue'] },
        n: { type: 'number', nullable: false },
        at: { type: 'string', format: 'date-time' },
        deep: { type: 'object', properties: { a: { type: 'number' } } },
      },
    });

    const { rows, errors, warnings } = await bot.client.createTableRows({
      table,
      rows: [
        { n: 1, email: 'a@b' },
        { n: 2, email: 'nobody' },
        { n: 3, color: 'green' },
        { n: '4' },
        { email: 'c@d' },
        { n: 6, at: 'yesterday' },
        { n: 7, deep: { a: 'x' } },
        { n: 8, unknown: 1 },
      ],
    });

    expect(rows.map(({ n }) => n)).toEqual([1, 8]);
    const faults = [
      ['rows[1]', 'email'],
      ['rows[2]', 'color'],
      ['rows[3]', 'n'],
      ['rows[4]', 'n'],
      ['rows[5]', 'at'],
      ['rows[6]', 'deep'],
    ];
    expect(errors).toHaveLength(faults.length);
    faults.forEach(([row, column], i) => {
      expect(errors![i]).toContain(row);
      expect(errors![i]).toContain(column);
    });
    expect(warnings).toEqual([expect.stringMatching(/rows\[7\].*unknown/)]);
  });

  it('never assigns an id twice to concurrent writers', async () => {
    const table = await newTable({ n: 1 });

    const answers = await crowds(Math.min(50, CROWD), n =>
      bot.client.createTableRows({ table, rows: Array.from({ length: 20 }, () => ({ n })) }),
    );

    const ids = answers.flatMap(({ rows }) => rows.map(({ id }) => id));
    expect(new Set(ids).size).toBe(answers.length * 20);
    expect(Math.max(...ids)).toBe(ids.length);
    const { rows, hasMore } = await bot.client.findTableRows({ table, limit: 1000 });
    expect(rows.map(({ id }) => id)).toEqual(ids.sort((a, b) => a - b));
    expect(hasMore).toBe(false);
  });

  it('never reuses the id of a deleted row', async () => {
    const table = await newTable({ n: 1 });
    await bot.client.createTableRows({ table, rows: [{ n: 1 }, { n: 2 }] });
    await bot.client.deleteTableRows({ table, deleteAllRows: true });

    const { rows } = await bot.client.createTableRows({ table, rows: [{ n: 3 }] });

    expect(rows[0]!.id).toBe(3);
  });

  it('creates one row per key for concurrent writers', async () => {
    const table = await newTable({ email: 'a', n: 1 }, { keyColumn: 'email' });

    const answers = await crowds(Math.min(50, CROWD), n =>
      bot.client.createTableRows({
        table,
        rows: [
          { email: 'ada@x', n },
          { email: `${n}@x`, n },
        ],
      }),
    );

    const created = answers.flatMap(({ rows }) => rows);
    const errors = answers.flatMap(({ errors = [] }) => errors);
    expect(created.filter(({ email }) => email === 'ada@x')).toHaveLength(1);
    expect(created).toHaveLength(answers.length + 1);
    expect(errors).toHaveLength(answers.length - 1);
    expect(errors[0]).toMatch(/rows\[0\].*email "ada@x" already/);
    expect((await bot.client.findTableRows({ table, filter: { email: 'ada@x' } })).rows).toHaveLength(1);
  });

  it('frees the key of a deleted row', async () => {
    const table = await newTable({ email: 'a' }, { keyColumn: 'email' });
    const create = async () => (await bot.client.createTableRows({ table, rows: [{ email: 'a' }] })).rows[0]?.id;
    const first = await create();
    await bot.client.deleteTableRows({ table, ids: [first!] });
    const second = await create();
    await bot.client.updateTableRows({ table, rows: [{ id: second!, email: 'b' }] });

    expect([first, second, await create(), await create()]).toEqual([1, 2, 3, undefined]);
  });

  it('creates many rows with keys, and rejects those whose key is taken', async () => {
    const table = await newTable({ n: 1 }, { keyColumn: 'n' });
    await bot.client.createTableRows({ table, rows: [{ n: 5 }, { n: 95 }] });

    const rows = [...Array.from({ length: 100 }, (_, n) => ({ n })), { n: 50 }];
    const answer = await bot.client.createTableRows({ table, rows });

    expect(answer.rows).toHaveLength(98);
    expect(answer.errors).toHaveLength(3);
  });

  it('responds after a code column is computed, with waitComputed', async () => {
    const table = await newTable({
      name: 'x',
      greeting: {
        type: 'string',
        'x-zui': { computed: { action: 'code', code: '"Hello " + row.name', dependencies: ['name'] } },
      },
    });

    const { rows } = await bot.client.createTableRows({ table, rows: [{ name: 'Ada' }], waitComputed: true });

    expect(rows[0]).toMatchObject({
      greeting: 'Hello Ada',
      stale: [],
      computed: { greeting: { status: 'completed', updatedBy: 'code' } },
    });
  });

  it('creates a thousand rows', async () => {
    const table = await newTable({ n: 1 });

    const { rows } = await bot.client.createTableRows({ table, rows: Array.from({ length: 1000 }, (_, n) => ({ n })) });

    expect(rows.map(({ n }) => n)).toEqual(Array.from({ length: 1000 }, (_, n) => n));
  });

  it('rejects a row that is too large, and accepts it with a higher factor', async () => {
    const rows = [{ text: 'é'.repeat(2_500) }, { text: 'short' }];
    const [small, large] = [await newTable({ text: 'x' }), await newTable({ text: 'x' }, { factor: 2 })];

    const answers = [
      await bot.client.createTableRows({ table: small, rows }),
      await bot.client.createTableRows({ table: large, rows }),
    ];

    expect(answers[0]!.rows).toHaveLength(1);
    expect(answers[0]!.errors).toEqual([expect.stringMatching(/rows\[0\].*500\d bytes.*4096/)]);
    expect(answers[1]!.rows).toHaveLength(2);
  });

  it.each([
    ['no rows', { rows: [] }],
    ['1,001 rows', { rows: Array.from({ length: 1001 }, () => ({})) }],
    ['rows that are no objects', { rows: [1] }],
    ['two rows to wait for', { rows: [{}, {}], waitComputed: true }],
  ])('returns 400 for %s', async (_, body) => {
    const table = await newTable();

    expect(await bot.callTables('POST', `/${table}/rows`, { body })).toMatchObject({
      status: 400,
      body: { type: 'InvalidPayload' },
    });
  });

  it.each([2, 20])('creates %i rows once for a repeated request', async count => {
    const table = await newTable({ n: 1 });
    const body = { rows: Array.from({ length: count }, (_, n) => ({ n })) };
    const send = () => bot.callTables('POST', `/${table}/rows`, { body, headers: { 'idempotency-key': table } });

    const [first, again] = [await send(), await send()];

    expect(again.body).toEqual(first.body);
    expect((await bot.client.findTableRows({ table })).rows).toHaveLength(count);
  });

  it('accepts a body that is too large for a request, compressed or uploaded', async () => {
    const table = await newTable({ text: 'x' }, { factor: 5 });
    const body = JSON.stringify({
      rows: Array.from({ length: 700 }, (_, n) => ({
        // Compresses to a fortieth. The limit is a hundredth.
        text: `${n} ${randomBytes(150).toString('base64').repeat(50)}`,
      })),
    });
    expect(body.length).toBeGreaterThan(6 * 1024 * 1024);
    const headers = {
      authorization: `Bearer ${bot.tokens.bot}`,
      'x-bot-id': bot.id,
      'content-type': 'application/json',
    };

    const answer = await call(`${apiBaseUrl()}/v1/tables/${table}/rows`, {
      method: 'POST',
      headers: { ...headers, 'content-encoding': 'gzip' },
      body: gzipSync(body),
    });

    expect({ status: answer.status, type: answer.body.type }).toEqual({ status: 200, type: undefined });
    const found = await bot.client.findTableRows({ table, filter: { id: { $gt: 690 } }, select: ['text'] });
    expect(found.rows).toHaveLength(10);
  });
});
