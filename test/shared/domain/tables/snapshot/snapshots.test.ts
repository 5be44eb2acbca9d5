/** Tests that queries of a snapshot have the results of a scan after every kind of write. */
import { beforeAll, describe, expect, it } from 'vitest';
import { queryRows } from '#shared/domain/tables/find/queryRows.ts';
import { closeFiles, queryFromSnapshot } from '#shared/domain/tables/snapshot/openFiles.ts';
import type { SnapshotJob } from '#shared/storage/queues/snapshotJobs.ts';
import { deleteObject, getObject, putObject } from '#shared/storage/s3/objects.ts';
import { snapshotPrefix } from '#shared/storage/s3/prefixes.ts';
import { dieWithin } from '#test/support/crashes.ts';
import { crowds, eventually, newBot, type TestBot, useSharedPlatform } from '#test/support/platform.ts';
import { newTable } from '#test/support/rowInternals.ts';
import { allObjects } from '#test/support/stagedObjects.ts';
import { expectSame, makeSnapshotOf, sourceOf } from '#test/support/tableSnapshots.ts';
import { sampled } from '#test/support/tier.ts';

useSharedPlatform();

const ROWS = 700;
/** `WRITERS=50 READERS=10 ROUNDS=60` takes more than a minute. */
const [WRITERS, ROUNDS, READERS] = [process.env.WRITERS ?? 12, process.env.ROUNDS ?? 8, process.env.READERS ?? 3].map(
  Number,
) as [number, number, number];

let bot: TestBot;
beforeAll(async () => {
  bot = await newBot();
});

async function newLargeTable(): Promise<string> {
  const { id: table } = await newTable(bot.client, { name: 'Ada', age: 36, tags: ['a'] });
  const rows = Array.from({ length: ROWS }, (_, i) => ({ name: `n${i % 7}`, age: i % 50, tags: [`t${i % 3}`] }));
  await bot.client.createTableRows({ table, rows });
  return table;
}

const make = (table: string, job: Partial<SnapshotJob> = {}) => makeSnapshotOf(bot, table, job, 0);

async function newTableWithSnapshot(): Promise<string> {
  const table = await newLargeTable();
  expect(await make(table)).toMatchObject({ outcome: 'quietPeriod' });
  expect(await make(table)).toEqual({ outcome: 'made' });
  return table;
}

describe('a table with a snapshot', () => {
  let table: string;
  beforeAll(async () => {
    table = await newTableWithSnapshot();
  });

  it('serves queries from the snapshot', () => expectSame(bot, table));

  it.each<[string, () => Promise<unknown>]>([
    ['a row is created', () => bot.client.createTableRows({ table, rows: [{ name: 'new', age: 99 }] })],
    [
      'hundreds of rows are created',
      () =>
        bot.client.createTableRows({ table, rows: Array.from({ length: 300 }, (_, i) => ({ name: 'many', age: i })) }),
    ],
    ['a row is updated', () => bot.client.updateTableRows({ table, rows: [{ id: 5, name: 'changed', age: null }] })],
    [
      'many rows are updated',
      () =>
        bot.client.updateTableRows({
          table,
          rows: Array.from({ length: 60 }, (_, i) => ({ id: i * 3 + 1, name: `u${i}` })),
        }),
    ],
    ['rows are upserted', () => bot.client.upsertTableRows({ table, rows: [{ id: 7, age: 1 }, { name: 'up' }] })],
    ['rows are deleted by id', () => bot.client.deleteTableRows({ table, ids: [1, 2, 650] })],
    ['rows are deleted by a filter', () => bot.client.deleteTableRows({ table, filter: { name: 'n6' } })],
    [
      'a column is added, and filled',
      async () => {
        await bot.client.updateTable({ table, schema: { type: 'object', properties: { extra: { type: 'string' } } } });
        await bot.client.updateTableRows({ table, rows: [{ id: 9, extra: 'x' }] });
      },
    ],
    [
      'a column changes its type',
      () => bot.client.updateTable({ table, schema: { type: 'object', properties: { extra: { type: 'number' } } } }),
    ],
    ['a column is renamed', () => bot.client.renameTableColumn({ table, name: 'extra', newName: 'other' })],
  ])('is current for the next query when %s', async (_, write) => {
    await write();

    await expectSame(bot, table);
  });

  it('reflects a computed value', async () => {
    // A few rows suffice, because each is computed separately.
    await bot.client.deleteTableRows({ table, filter: { id: { $gt: 40 } } });
    const how = { action: 'code', code: 'return row.age * 2', dependencies: ['age'] };
    await bot.client.updateTable({
      table,
      schema: { type: 'object', properties: { double: { type: 'number', 'x-zui': { computed: how } } } },
    });
    await eventually(async () => {
      const { rows } = await bot.client.findTableRows({ table, filter: { age: 12 }, limit: 100 });
      expect(rows.every(row => row.double === 24)).toBe(true);
    });

    // The rows of a batch appear together after all of them are computed.
    await eventually(() => expectSame(bot, table));
    await eventually(async () => {
      const { rows } = await bot.client.findTableRows({ table, limit: 1000 });
      expect(rows.flatMap(({ stale }) => stale ?? [])).toEqual([]);
    });
  });

  it('is updated in a later snapshot', async () => {
    const seen = (await sourceOf(bot, table)).log.snapshot!.revision;
    await bot.client.updateTableRows({ table, rows: [{ id: 11, name: 'later' }] });

    expect(await make(table, { seen })).toEqual({ outcome: 'made' });
    closeFiles();

    await expectSame(bot, table);
    expect((await sourceOf(bot, table)).log.snapshot!.revision).toBeGreaterThan(seen);
    expect(await make(table, { seen })).toEqual({ outcome: 'fresh' });
  });
});

it('scans the rows without a snapshot, and requests one', async () => {
  const table = await newLargeTable();
  const { rows } = await bot.client.findTableRows({ table, filter: { name: 'n3' } });

  expect(rows).toHaveLength(100);
  await eventually(async () => {
    expect((await sourceOf(bot, table)).table.loggedSinceMs).toEqual(expect.any(Number));
  });
});

it.each([
  ['gone', deleteObject],
  ['damaged', (object: string) => putObject(object, Buffer.from('SQLite format 3'))],
  ['cut off', async (object: string) => putObject(object, (await getObject(object)).subarray(0, 1000))],
])('reads the rows when the object is %s, until there is another', async (_, harm) => {
  const table = await newTableWithSnapshot();
  const { revision, object } = (await sourceOf(bot, table)).log.snapshot!;
  await harm(object);
  closeFiles();

  const source = await sourceOf(bot, table);
  expect(await queryFromSnapshot(source, true, file => file.count)).toBeUndefined();
  const { rows } = await queryRows(source, { filter: { name: 'n3' }, limit: 1000, offset: 0 });
  expect(rows).toHaveLength(100);

  expect(await make(table, { seen: revision, isLost: true })).toEqual({ outcome: 'made' });
  await expectSame(bot, table);
});

it('builds one snapshot for two concurrent requests', async () => {
  const table = await newLargeTable();
  await make(table);

  const outcomes = await Promise.all([make(table), make(table)]);

  expect(outcomes.map(({ outcome }) => outcome)).toContain('made');
  await expectSame(bot, table);
});

it.each(sampled(['unsent', 'lost'] as const, 2, 1))('survives a crash at every call of a build: %s', async death => {
  const table = await newTableWithSnapshot();
  let hasDied = true;
  let at = 0;
  while (hasDied) {
    const { revision } = (await sourceOf(bot, table)).log.snapshot!;
    await bot.client.updateTableRows({ table, rows: [{ id: at + 1, name: `before ${at}` }] });
    hasDied = await dieWithin({ at: ++at, death }, () => make(table, { seen: revision }));
    closeFiles();
    await expectSame(bot, table);
  }

  expect(at).toBeGreaterThan(5);
  // The next build deletes a predecessor that a crashed build left.
  const objects = await allObjects();
  expect(objects.filter(key => key.startsWith(snapshotPrefix(bot.id, table)))).toHaveLength(2);
});

it('builds a correct snapshot when the schema and rows change during the build', async () => {
  const table = await newTableWithSnapshot();
  for (let i = 0; i < 8; i++) {
    const { revision } = (await sourceOf(bot, table)).log.snapshot!;
    const column = i % 2 === 0 ? { [`extra${i}`]: { type: 'string' } } : { [`extra${i - 1}`]: { type: 'number' } };
    await Promise.all([
      make(table, { seen: revision }),
      bot.client.updateTable({ table, schema: { type: 'object', properties: column } }),
      bot.client.updateTableRows({ table, rows: [{ id: i + 1, age: i, tags: [`schema${i}`] }] }),
    ]);
    closeFiles();

    await expectSame(bot, table);
  }
});

it('reflects all earlier writes in a query during concurrent writes', { timeout: 600_000 }, async () => {
  const table = await newTableWithSnapshot();
  /** Last acknowledged number by writer. */
  const answered = new Map<string, number>();
  let isOver = false;
  const write = async (writer: number) => {
    const name = `writer${writer}`;
    const { rows } = await bot.client.createTableRows({ table, rows: [{ name, age: 0 }] });
    for (let age = 1; age <= ROUNDS; age++) {
      const batch = Array.from({ length: 15 }, () => ({ name: `${name} batch ${age}` }));
      await Promise.all([
        bot.client.updateTableRows({ table, rows: [{ id: rows[0]!.id, age }] }),
        bot.client.createTableRows({ table, rows: batch }),
      ]);
      answered.set(name, age);
    }
  };
  let checks = 0;
  const read = async () => {
    while (!isOver) {
      // Covers some writers, because a page has at most 1,000 groups.
      const ending = checks % 10;
      const before = [...answered].filter(([name]) => name.endsWith(`${ending}`));
      const { rows } = await bot.client.findTableRows({
        table,
        filter: { name: { $regex: `^writer[0-9]*${ending}$` } },
        limit: 1000,
      });
      const { rows: sizes } = await bot.client.findTableRows({
        table,
        filter: { name: { $regex: `^writer[0-9]*${ending} batch` } },
        group: { name: ['key', 'count'] },
        limit: 1000,
      });
      const seen = new Map(rows.map(({ name, age }) => [name, Number(age)]));
      const sizesOf = new Map(sizes.map(({ nameKey, nameCount }) => [nameKey, nameCount]));
      for (const [name, age] of before) {
        expect(seen.get(name), name).toBeGreaterThanOrEqual(age);
        for (let i = 1; i <= age; i++) expect(sizesOf.get(`${name} batch ${i}`), `${name} batch ${i}`).toBe(15);
      }
      for (const { nameKey, nameCount } of sizes) expect(nameCount, nameKey).toBe(15);
      checks++;
    }
  };
  const readers = Array.from({ length: READERS }, read);
  await crowds(WRITERS, write).finally(() => {
    isOver = true;
  });
  await Promise.all(readers);

  expect(checks).toBeGreaterThan(3);
  await expectSame(bot, table);
});
