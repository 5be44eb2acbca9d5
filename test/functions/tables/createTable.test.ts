import { beforeAll, describe, expect, it } from 'vitest';
import { CROWD, crowds, newBot, type TestBot, useSharedPlatform } from '#test/support/platform.ts';
import { newTableName } from '#test/support/requests/tables.ts';

useSharedPlatform();

let bot: TestBot;
beforeAll(async () => {
  bot = await newBot();
});

describe('POST /tables', () => {
  it('returns the table and its schema, with the index of each column', async () => {
    const name = newTableName();

    const { table } = await bot.client.createTable({
      name,
      schema: {
        name: 'Ada',
        age: 36,
        isAdult: true,
        born: '1815-12-10T00:00:00Z',
        address: { city: 'London' },
        tags: ['a'],
      },
      tags: { team: 'x' },
    });

    expect(table).toMatchObject({
      id: expect.stringMatching(/^table_[0-9A-Za-z]{22}$/),
      name,
      factor: 1,
      frozen: false,
      keyColumn: null,
      tags: { team: 'x' },
      isComputeEnabled: true,
      schema: {
        type: 'object',
        additionalProperties: true,
        properties: {
          name: { type: 'string', nullable: true, 'x-zui': { index: 0 } },
          age: { type: 'number', 'x-zui': { index: 1 } },
          isAdult: { type: 'boolean' },
          born: { type: 'string', format: 'date-time' },
          address: { type: 'object', properties: { city: { type: 'string' } } },
          tags: { type: 'array', items: { type: 'string' } },
        },
      },
    });
    expect((await bot.client.getTable({ table: table.id })).table).toEqual(table);
  });

  it('accepts a JSON Schema, and definitions per column', async () => {
    const jsonSchema = await bot.client.createTable({
      name: newTableName(),
      schema: {
        type: 'object',
        properties: { email: { type: 'string', 'x-zui': { searchable: true } }, n: { type: 'number' } },
        required: ['email'],
      },
    });
    const byColumn = await bot.client.createTable({
      name: newTableName(),
      schema: { email: { type: 'string', pattern: '@' }, color: { type: 'string', enum: ['red', 'blue'] } },
    });

    expect(jsonSchema.table.schema.properties.email).toMatchObject({ nullable: false, 'x-zui': { searchable: true } });
    expect(byColumn.table.schema.properties).toMatchObject({
      email: { pattern: '@' },
      color: { enum: ['red', 'blue'] },
    });
  });

  it('returns 409 when the name is taken, and creates one table for concurrent calls', async () => {
    const name = newTableName();

    const ends = await crowds(CROWD, () => bot.client.createTable({ name, schema: {} }).catch(error => error.type));

    expect(ends.filter(end => end === 'AlreadyExists')).toHaveLength(CROWD - 1);
    const { tables } = await bot.client.listTables({});
    expect(tables.filter(table => table.name === name)).toHaveLength(1);
  });

  it('accepts 64 columns', async () => {
    const schema = Object.fromEntries(Array.from({ length: 64 }, (_, i) => [`c${i}`, 'x']));

    const { table } = await bot.client.createTable({ name: newTableName(), schema });

    expect(Object.keys(table.schema.properties)).toHaveLength(64);
  });

  it.each([
    ['a name that does not end with Table', { name: 'people' }],
    ['a name that starts with a digit', { name: '1Table' }],
    ['a name of 36 characters', { name: `${'a'.repeat(31)}Table` }],
    ['a name with a dash', { name: 'my-Table' }],
    ['no schema', { schema: undefined }],
    ['a schema that is a text', { schema: 'x' }],
    ['65 columns', { schema: Object.fromEntries(Array.from({ length: 65 }, (_, i) => [`c${i}`, 1])) }],
    ['a column that every row has', { schema: { createdAt: 'x' } }],
    ['a column with a dot', { schema: { 'a.b': 'x' } }],
    ['a column of 31 characters', { schema: { ['a'.repeat(31)]: 'x' } }],
    ['an unknown type', { schema: { type: 'object', properties: { a: { type: 'date' } } } }],
    ['a key column that is not there', { keyColumn: 'b' }],
    ['a key column of objects', { schema: { a: {} }, keyColumn: 'a' }],
    ['a factor of 31', { factor: 31 }],
    ['a factor of 0', { factor: 0 }],
    ['a tag with a dot', { tags: { 'a.b': 'x' } }],
    ['an invalid pattern', { schema: { a: { type: 'string', pattern: '(' } } }],
  ])('returns 400 for %s', async (_, fault) => {
    const answer = await bot.callTables('POST', '', { body: { name: newTableName(), schema: { a: 'x' }, ...fault } });

    expect(answer.status).toBe(400);
    expect(answer.body.type).toBe('InvalidPayload');
  });

  it('creates one table for a repeated request', async () => {
    const body = { name: newTableName(), schema: { a: 1 } };
    const headers = { 'idempotency-key': body.name };

    const [first, again] = [
      await bot.callTables('POST', '', { body, headers }),
      await bot.callTables('POST', '', { body, headers }),
    ];

    expect(first.status).toBe(201);
    expect(again).toMatchObject({ status: 201, body: first.body });
  });
});

it("preserves the numbers and nesting of a schema beyond DynamoDB's limits", async () => {
  const items = { type: 'object', properties: { n: { type: 'number', maximum: 1e300, minimum: -1e-300 } } };

  const { status, body } = await bot.callTables('POST', '', {
    body: {
      name: 'oddTable',
      schema: { n: { type: 'number', 'x-zui': { order: 1e300 } }, list: { type: 'array', items } },
    },
  });
  const { table } = await bot.client.getTable({ table: 'oddTable' });

  expect({ status, order: body.table?.schema.properties.n['x-zui'].order }).toEqual({ status: 201, order: 1e300 });
  expect(table.schema.properties.list).toMatchObject({ items });
});
