/** Tests that bots receive events of changed rows once each, and in order per table. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { requireTable } from '#shared/storage/dynamodb/tables/tables.ts';
import { findUniqueKeys } from '#shared/storage/dynamodb/tables/uniqueKeys.ts';
import { startEndpoint, type TestEndpoint } from '#test/support/endpoint.ts';
import { eventually, newBot, settled, type TestBot, useSharedPlatform } from '#test/support/platform.ts';
import { computed, newTable, redeliverChanges, searchable, untilComputed } from '#test/support/rowInternals.ts';

useSharedPlatform();

const TYPES = ['table_row_created', 'table_row_updated', 'table_row_deleted'];
let bot: TestBot;
let endpoint: TestEndpoint;
beforeEach(async () => {
  bot = await newBot();
  endpoint = await startEndpoint();
});
afterEach(() => {
  vi.restoreAllMocks();
  endpoint.stop();
});

const subscribe = (types: readonly string[]) =>
  bot.workspace.owner.client.updateBot({
    id: bot.id,
    url: endpoint.url,
    subscriptions: { events: Object.fromEntries(types.map(type => [type, {}])) },
  });
const delivered = () => endpoint.events().filter(({ type }) => type.startsWith('table_row_'));
const whenTold = (count: number) =>
  eventually(async () => {
    expect(delivered()).toHaveLength(count);
    return delivered();
  });

describe('a bot that subscribes to row events', () => {
  it('receives created, updated and deleted rows', async () => {
    await subscribe(TYPES);
    const { id, name } = await newTable(bot.client, { name: '', n: 0 });

    await bot.client.createTableRows({ table: id, rows: [{ name: 'Ada', n: 1 }] });
    await bot.client.updateTableRows({ table: id, rows: [{ id: 1, n: 2 }] });
    await bot.client.deleteTableRows({ table: id, ids: [1] });

    const events = await whenTold(3);
    expect(events.map(({ type }) => type)).toEqual(TYPES);
    const table = { tableId: id, tableName: name };
    expect(events[0].payload).toMatchObject({ ...table, row: { id: 1, name: 'Ada', n: 1 } });
    expect(events[0].payload.previous).toBeUndefined();
    expect(events[1].payload).toMatchObject({ ...table, row: { n: 2 }, previous: { name: 'Ada', n: 1 } });
    expect(events[2].payload).toMatchObject({ ...table, row: { id: 1, name: 'Ada', n: 2 } });
    await eventually(async () => {
      const { events: listed } = await bot.client.listEvents({ type: 'table_row_created' });
      expect(listed).toMatchObject([{ id: events[0].id, status: 'processed', payload: events[0].payload }]);
    });
  });

  it('receives each event once, although the stream delivers the change repeatedly', async () => {
    redeliverChanges(3);
    await subscribe(TYPES);
    const { id: table } = await newTable(bot.client, { n: 0 });

    await bot.client.createTableRows({ table, rows: Array.from({ length: 60 }, (_, n) => ({ n })) });
    await bot.client.deleteTableRows({ table, ids: [1, 2, 3] });

    await whenTold(63);
    await settled();
    expect(new Set(delivered().map(({ id }) => id)).size).toBe(63);
    expect(new Set(delivered().map(({ type, payload }) => `${type} ${payload.row.id}`)).size).toBe(63);
  });

  it('receives the events of a table in order, even if it is slow', async () => {
    endpoint.stop();
    let calls = 0;
    endpoint = await startEndpoint((_, response) => void setTimeout(() => response.end('{}'), (calls++ % 4) * 10));
    await subscribe(TYPES);
    const { id: table } = await newTable(bot.client, { n: 0 });
    const { id: other } = await newTable(bot.client, { n: 0 });

    for (let n = 0; n < 15; n++) {
      await bot.client.createTableRows({ table, rows: [{ n }] });
      await bot.client.updateTableRows({ table, rows: [{ id: 1, n: 100 + n }] });
      await bot.client.createTableRows({ table: other, rows: [{ n }] });
    }

    const events = await whenTold(45);
    const of = (tableId: string) => events.filter(({ payload }) => payload.tableId === tableId);
    expect(of(other).map(({ payload }) => payload.row.n)).toEqual(Array.from({ length: 15 }, (_, n) => n));
    const expected = Array.from({ length: 15 }, (_, n) => [n, 100 + n]).flat();
    expect(of(table).map(({ payload }) => payload.row.n)).toEqual(expected);
  });

  it('receives computed values, but no events for changed cell states', async () => {
    await subscribe(TYPES);
    const { id: table } = await newTable(bot.client, {
      text: searchable,
      length: computed('number', { action: 'code', code: 'row.text.length' }),
      fails: computed('number', { action: 'code', code: 'null.x' }),
    });

    await bot.client.createTableRows({ table, rows: [{ text: 'abc' }] });
    await untilComputed(bot.client, table, 1);

    const [, updated] = await whenTold(2);
    expect(updated).toMatchObject({
      type: 'table_row_updated',
      payload: { row: { length: 3 }, previous: { length: null } },
    });
    await bot.client.updateTableRows({ table, rows: [{ id: 1, text: 'abc' }] });
    await settled();
    expect(delivered()).toHaveLength(2);
  });

  it('receives rows of the maximum size', async () => {
    await subscribe(TYPES);
    const { id: table } = await newTable(bot.client, { a: '' }, { factor: 30 });
    const [before, after] = ['\u0001', '\u0002'].map(each => each.repeat(30 * 4_000));

    await bot.client.createTableRows({ table, rows: [{ a: before }] });
    await bot.client.updateTableRows({ table, rows: [{ id: 1, a: after }] });

    const [, updated] = await whenTold(2);
    expect(updated.payload.row.a).toBe(after);
    expect(updated.payload.previous.a).toBe(before);
  });

  it('receives only the types it subscribes to', async () => {
    await subscribe(['table_row_deleted', 'other']);
    const { id: table } = await newTable(bot.client, { n: 0 });

    await bot.client.createTableRows({ table, rows: [{ n: 1 }, { n: 2 }] });
    await bot.client.deleteTableRows({ table, ids: [2] });

    expect(await whenTold(1)).toMatchObject([{ type: 'table_row_deleted', payload: { row: { n: 2 } } }]);
    await settled();
    expect((await bot.client.listEvents({ type: 'table_row_created' })).events).toEqual([]);
  });
});

it('receives nothing without subscriptions', async () => {
  await bot.workspace.owner.client.updateBot({ id: bot.id, url: endpoint.url });
  const { id: table } = await newTable(bot.client, { n: 0 });

  await bot.client.createTableRows({ table, rows: [{ n: 1 }] });
  await bot.client.deleteTableRows({ table, ids: [1] });

  await settled();
  expect(delivered()).toEqual([]);
  for (const type of TYPES) expect((await bot.client.listEvents({ type })).events).toEqual([]);
});

describe('the unique-key entry of a value', () => {
  const keyed = () => newTable(bot.client, { name: '', n: 0 }, { keyColumn: 'name' });
  const claimsOf = async (tableId: string, values: string[]) => {
    const table = await requireTable(bot.id, tableId);
    const claims = await findUniqueKeys(bot.id, tableId, table.keyColumn!, values);
    return claims.map(claim => claim?.rowId);
  };

  it("is removed with its row, and when the row's value changes", async () => {
    redeliverChanges();
    const { id: table } = await keyed();
    await bot.client.createTableRows({ table, rows: [{ name: 'a' }, { name: 'b' }, { name: 'c' }] });

    await bot.client.deleteTableRows({ table, ids: [1] });
    await bot.client.updateTableRows({ table, rows: [{ id: 2, name: 'd' }] });

    await eventually(async () =>
      expect(await claimsOf(table, ['a', 'b', 'c', 'd'])).toEqual([undefined, undefined, 3, 2]),
    );
  });

  it('stays with the row that currently has the value', async () => {
    const { id: table } = await keyed();
    await bot.client.createTableRows({ table, rows: [{ name: 'a' }, { name: 'b' }] });

    await bot.client.updateTableRows({ table, rows: [{ id: 1, name: 'x' }] });
    await bot.client.updateTableRows({ table, rows: [{ id: 1, name: 'a' }] });
    await bot.client.deleteTableRows({ table, ids: [2] });
    await bot.client.createTableRows({ table, rows: [{ name: 'b' }] });

    await settled();
    await eventually(async () => expect(await claimsOf(table, ['a', 'x', 'b'])).toEqual([1, undefined, 3]));
    const { errors } = await bot.client.createTableRows({ table, rows: [{ name: 'a' }, { name: 'b' }] });
    expect(errors).toHaveLength(2);
  });

  it('is claimed by a computed value, which fails when another row has it', async () => {
    const upper = computed('string', { action: 'code', code: 'row.a.toUpperCase()' });
    const { id: table } = await newTable(bot.client, { a: '', name: upper }, { keyColumn: 'name' });
    await bot.client.createTableRows({ table, rows: [{ a: 'x' }] });
    expect(await untilComputed(bot.client, table, 1)).toMatchObject({ name: 'X' });

    await bot.client.createTableRows({ table, rows: [{ a: 'X' }] });

    const row = await untilComputed(bot.client, table, 2);
    expect(row.name).toBeNull();
    expect(row.computed.name!.error).toContain('already');
    expect(await claimsOf(table, ['X'])).toEqual([1]);
  });
});
