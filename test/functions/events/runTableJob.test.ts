/** Tests that copies of tables, long deletions and rebuilds after a change run once despite interruptions. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { runTableJob } from '#functions/events/runTableJob.ts';
import { clock } from '#shared/core/clock.ts';
import { deleteMatchingRows } from '#shared/domain/tables/jobs/delete/deleteMatchingRows.ts';
import { refreshRows } from '#shared/domain/tables/jobs/refresh/refreshRows.ts';
import { write } from '#shared/storage/dynamodb/engine/transaction.ts';
import { putRows } from '#shared/storage/dynamodb/tables/rowWrites.ts';
import { listTables, requireTableWithIds } from '#shared/storage/dynamodb/tables/tables.ts';
import { setQuota } from '#shared/storage/dynamodb/workspace/usage.ts';
import { eventually, newBot, settled, type TestBot, usePlatform } from '#test/support/platform.ts';
import { newTableName } from '#test/support/requests/tables.ts';
import { computed, expectCounts, newTable, searchable } from '#test/support/rowInternals.ts';
import { scanItems } from '#test/support/tableItems.ts';
import { holdJobs, recordOf, rowsOf, runHeld, runInSteps, takeHeld, untilEnded } from '#test/support/tableJobs.ts';
import { sampled } from '#test/support/tier.ts';

usePlatform();
afterEach(() => vi.restoreAllMocks());

let bot: TestBot;
beforeEach(async () => {
  bot = await newBot();
});

const many = (count: number) => Array.from({ length: count }, (_, i) => ({ name: `n${i}`, age: i }));

async function filled(count: number, options: object = {}) {
  const table = await newTable(bot.client, { name: 'Ada', age: 36 }, options);
  for (let at = 0; at < count; at += 1_000) {
    await bot.client.createTableRows({ table: table.id, rows: many(count).slice(at, at + 1_000) });
  }
  return table;
}

const namesTo = (count: number) => many(count).map((row, i) => ({ id: i + 1, ...row }));

describe('POST /tables/{sourceTableId}/duplicate', () => {
  it('creates a copy of the table, with the same rows and row ids', async () => {
    const source = await filled(1_200, { keyColumn: 'name', tags: { a: 'b' }, factor: 2, frozen: true });
    await bot.client.deleteTableRows({ table: source.id, ids: [3, 1_200] });
    await expectCounts(bot.client, source.id, { rows: 1_198 });

    const { table, rows, job } = await bot.client.duplicateTable({ sourceTableId: source.name });

    const { id: _, name: __, createdAt: ___, updatedAt: ____, ...same } = source;
    expect(table).toMatchObject({ ...same, frozen: false });
    expect(table.name).toBe(source.name.replace(/Table$/, 'CopyTable'));
    expect(rows).toBe(1_198);
    const end = await untilEnded(bot.client, { tableId: table.id, id: job!.id });
    expect(end).toMatchObject({ type: 'duplicate_table', status: 'completed', progress: 100 });
    expect(await rowsOf(bot.client, table.id)).toEqual(namesTo(1_199).filter(({ id }) => id !== 3));
    await expectCounts(bot.client, table.id, { rows: 1_198 });
    const { rows: created, errors } = await bot.client.createTableRows({
      table: table.id,
      rows: [{ name: 'n5' }, { name: 'new' }],
    });
    expect(errors).toEqual([expect.stringContaining('n5')]);
    expect(created.map(({ id }) => id)).toEqual([1_202]);
  });

  it('keeps the creation times of rows', async () => {
    const source = await filled(1);
    const { row } = await bot.client.getTableRow({ table: source.id, id: 1 });

    const { table, job } = await bot.client.duplicateTable({ sourceTableId: source.id });
    await untilEnded(bot.client, { tableId: table.id, id: job!.id });

    expect((await bot.client.getTableRow({ table: table.id, id: 1 })).row).toEqual(row);
  });

  it('omits rows for a schema-only copy, and creates no job without rows', async () => {
    const source = await filled(2);
    const empty = await newTable(bot.client, { name: 'Ada' });

    const copy = await bot.client.duplicateTable({ sourceTableId: source.id, schemaOnly: true });
    const emptyCopy = await bot.client.duplicateTable({ sourceTableId: empty.id });

    expect([copy.rows, copy.job, emptyCopy.rows, emptyCopy.job]).toEqual([0, undefined, 0, undefined]);
    expect(copy.table.schema).toEqual(source.schema);
    expect(await rowsOf(bot.client, copy.table.id)).toEqual([]);
  });

  it('finds a free name within the limit, even for many concurrent calls', async () => {
    const name = `${'a'.repeat(30)}Table`;
    const { table: source } = await bot.client.createTable({ name, schema: { name: 'Ada' } });

    const copies = await Promise.all(
      Array.from({ length: 4 }, () => bot.client.duplicateTable({ sourceTableId: source.id, schemaOnly: true })),
    );

    expect(copies.map(({ table }) => table.name).sort()).toEqual([
      `${'a'.repeat(25)}Copy2Table`,
      `${'a'.repeat(25)}Copy3Table`,
      `${'a'.repeat(25)}Copy4Table`,
      `${'a'.repeat(26)}CopyTable`,
    ]);
  });

  it('rejects a taken or invalid name, a smaller factor, and an unknown table', async () => {
    const source = await filled(3, { factor: 3 });
    const copyOf = (input: object) => bot.client.duplicateTable({ sourceTableId: source.id, ...input });

    await expect(copyOf({ tableName: source.name })).rejects.toMatchObject({ code: 409, type: 'AlreadyExists' });
    await expect(copyOf({ tableName: 'nothing' })).rejects.toMatchObject({ code: 400 });
    await expect(copyOf({ factor: 2 })).rejects.toMatchObject({ code: 400 });
    await expect(copyOf({ sourceTableId: 'noTable' })).rejects.toMatchObject({ code: 404 });
    expect(await listTables(bot.id)).toHaveLength(1);
  });

  it('rejects a copy beyond the quota', async () => {
    await write([setQuota(bot.workspace.id, 'table_row_count', 10)]);
    const source = await filled(3, { factor: 3 });
    await expectCounts(bot.client, source.id, { rows: 3 });

    const copy = bot.client.duplicateTable({ sourceTableId: source.id });

    await expect(copy).rejects.toMatchObject({ code: 403, type: 'QuotaExceeded' });
    expect(await listTables(bot.id)).toHaveLength(1);
  });

  it('applies a larger requested factor to the row count', async () => {
    const source = await filled(2);

    const { table } = await bot.client.duplicateTable({
      sourceTableId: source.id,
      factor: 4,
      tableName: newTableName(),
    });

    expect(table.factor).toBe(4);
    await eventually(async () => {
      const { usage } = await bot.workspace.owner.client.getUsage({ id: bot.id, type: 'table_row_count' });
      expect(usage.value).toBe(2 + 2 * 4);
    });
  });

  it('copies computed values unchanged', async () => {
    const double = computed('number', { action: 'code', code: 'row.age * 2', dependencies: ['age'] });
    const source = await newTable(bot.client, { age: { type: 'number' }, double });
    await bot.client.createTableRows({ table: source.id, rows: [{ age: 1 }], waitComputed: true });

    const { table, job } = await bot.client.duplicateTable({ sourceTableId: source.id });
    await untilEnded(bot.client, { tableId: table.id, id: job!.id });

    const { row } = await bot.client.getTableRow({ table: table.id, id: 1 });
    expect(row).toMatchObject({ age: 1, double: 2, computed: { double: { status: 'completed' } } });
  });

  it.each(sampled([undefined, 'name'], 2))(
    'copies each row once despite timeouts, and keeps concurrent changes (key: %s)',
    { timeout: 60_000 },
    async keyColumn => {
      const source = await filled(1_700, { keyColumn });
      const held = holdJobs();
      const { table, job } = await bot.client.duplicateTable({ sourceTableId: source.id });
      const message = await takeHeld(held);
      const writing = await import('#shared/domain/tables/rows/insertRows.ts');
      const insert = writing.insertRows;
      vi.spyOn(writing, 'insertRows').mockImplementationOnce(async (home, some, outcome) => {
        await insert(home, some.slice(0, 300), outcome);
        throw new Error('killed amid');
      });
      await expect(runHeld(message)).rejects.toThrow('killed amid');
      await bot.client.updateTableRows({ table: table.id, rows: [{ id: 1, age: 1_000_000 }] });
      held.push(message);

      const runs = await runInSteps(held, bot, { tableId: table.id, id: job!.id });

      expect(runs).toBeGreaterThan(3);
      const rows = await rowsOf(bot.client, table.id);
      expect(rows[0]!.age).toBe(1_000_000);
      expect(rows.slice(1)).toEqual(namesTo(1_700).slice(1));
    },
  );

  it('fails when the source is deleted during the copy', async () => {
    const source = await filled(5);
    const held = holdJobs();
    const { table, job } = await bot.client.duplicateTable({ sourceTableId: source.id });
    const message = await takeHeld(held);

    await bot.client.deleteTable({ table: source.id });
    await runHeld(message);

    expect(await recordOf(bot, { tableId: table.id, id: job!.id })).toMatchObject({ status: 'failed' });
  });
});

describe('deleting many rows', () => {
  /** Creates a table with a number of assigned ids, and rows at some of them. */
  async function sparse(lastId: number, ids: readonly number[]) {
    const table = await newTable(bot.client, { age: 36 });
    const { allocateIds } = await import('#shared/storage/dynamodb/tables/rowWrites.ts');
    await allocateIds(bot.id, table.id, lastId);
    const column = table.schema.properties.age!['x-zui'].id!;
    const rows = ids.map(id => ({
      id,
      createdAtMs: 1,
      updatedAtMs: 1,
      version: 1,
      values: { [column]: String(id % 2) },
      cells: {},
      pending: [],
      isUnindexed: false,
    }));
    await putRows(bot.id, table.id, rows);
    return table;
  }
  const IDS = Array.from({ length: 50 }, (_, i) => 1 + i * 2_001);
  const sourceOf = async (table: string, deadlineMs: number) => ({
    bot: { id: bot.id, workspaceId: bot.workspace.id },
    ...(await requireTableWithIds(bot.id, table)),
    deadlineMs,
  });
  const idsIn = async (table: string) => (await rowsOf(bot.client, table)).map(({ id }) => id);

  it('completes within the call if there is time', async () => {
    const table = await sparse(100_100, IDS);

    const end = await deleteMatchingRows(await sourceOf(table.id, clock.now() + 20_000), { age: 1 });

    expect(end).toEqual({ deletedRows: 25 });
    expect(await idsIn(table.id)).toEqual(IDS.filter(id => id % 2 === 0));
  });

  it('continues in a job otherwise, and keeps rows created in between', async () => {
    const table = await sparse(100_100, IDS);
    const held = holdJobs();

    const { deletedRows, job } = await deleteMatchingRows(await sourceOf(table.id, 0), undefined);
    await bot.client.createTableRows({ table: table.id, rows: [{ age: 7 }] });
    const runs = await runInSteps(held, bot, { tableId: table.id, id: job!.id });

    expect(deletedRows).toBe(10);
    expect(job!.status).toBe('pending');
    expect(runs).toBeGreaterThan(3);
    const [listed] = (await bot.client.getTableJobs({ table: table.id })).jobs;
    expect(listed).toMatchObject({ id: job!.id, type: 'delete_rows', status: 'completed', progress: 100 });
    expect(await idsIn(table.id)).toEqual([100_101]);
  });

  it('fails when a column of its filter is removed in between', async () => {
    const table = await sparse(60_000, IDS.slice(0, 25));
    const held = holdJobs();
    const { job } = await deleteMatchingRows(await sourceOf(table.id, 0), { age: 1 });
    const message = await takeHeld(held);
    await bot.client.updateTable({ table: table.id, schema: { age: null, other: 'x' } });

    await runHeld(message);

    const record = await recordOf(bot, { tableId: table.id, id: job!.id });
    expect(record).toMatchObject({ status: 'failed', reason: expect.stringContaining('"age" was deleted') });
  });

  it('rejects an invalid filter', async () => {
    const table = await sparse(10, [1]);

    await expect(deleteMatchingRows(await sourceOf(table.id, 0), { nothing: 1 })).rejects.toMatchObject({
      status: 400,
    });
  });
});

describe('a changed table', () => {
  const code = (text: string, dependencies: string[]) =>
    computed('number', { action: 'code', code: text, dependencies });
  const doubles = async (table: string) => (await rowsOf(bot.client, table)).map(row => row.double);
  const expectDoubles = (table: string, expected: unknown[]) =>
    eventually(async () => expect(await doubles(table)).toEqual(expected), 20_000);

  it('computes a new column for existing rows, and again when its code changes', async () => {
    const { id: table } = await newTable(bot.client, { age: { type: 'number' } });
    await bot.client.createTableRows({ table, rows: [{ age: 1 }, { age: 2 }] });

    await bot.client.updateTable({ table, schema: { double: code('row.age * 2', ['age']) } });
    await expectDoubles(table, [2, 4]);
    const { row: before } = await bot.client.getTableRow({ table, id: 1 });
    await bot.client.updateTable({ table, schema: { double: code('row.age * 3', ['age']) } });
    await expectDoubles(table, [3, 6]);

    expect(before.computed.double).toMatchObject({ status: 'completed' });
    expect((await bot.client.getTableJobs({ table })).jobs).toEqual([]);
    await expectCounts(bot.client, table, { rows: 2 });
  });

  it('computes a column when it is enabled', async () => {
    const schema = { age: { type: 'number' }, double: code('row.age * 2', ['age']) };
    const { id: table } = await newTable(bot.client, schema, { isComputeEnabled: false });
    await bot.client.createTableRows({ table, rows: [{ age: 1 }] });

    await bot.client.updateTable({ table, isComputeEnabled: true });

    await expectDoubles(table, [2]);
  });

  it('recomputes only dependent columns', async () => {
    const { id: table } = await newTable(bot.client, {
      age: { type: 'number' },
      half: code('row.age / 2', ['age']),
      double: code('row.half * 4', ['half']),
      own: code('row.age', ['age']),
    });
    await bot.client.createTableRows({ table, rows: [{ age: 1, own: 77 }] });
    await expectDoubles(table, [2]);

    await bot.client.updateTable({ table, schema: { half: code('row.age * 10', ['age']) } });

    await expectDoubles(table, [40]);
    expect((await rowsOf(bot.client, table))[0]!.own).toBe(77);
  });

  it('indexes its rows when a column becomes searchable', async () => {
    const { id: table } = await newTable(bot.client, { text: 'x' });
    await bot.client.createTableRows({ table, rows: [{ text: 'The okapi is shy.' }] });

    await bot.client.updateTable({ table, schema: { text: searchable } });

    await eventually(async () => {
      const { rows } = await bot.client.findTableRows({ table, search: 'okapi' });
      expect(rows[0]?.similarity).toBeGreaterThan(0);
    }, 20_000);
  });

  it('creates no job for changes of names, tags and other columns', async () => {
    const held = holdJobs();
    const { id: table } = await newTable(bot.client, { age: { type: 'number' }, double: code('row.age', ['age']) });
    await bot.client.createTableRows({ table, rows: [{ age: 1 }] });

    await bot.client.updateTable({ table, name: newTableName(), tags: { a: 'b' }, schema: { other: 'x' } });
    await bot.client.renameTableColumn({ table, name: 'age', newName: 'years' });

    await settled();
    expect(held).toEqual([]);
  });

  it('creates one job for a redelivered change, and none without rows', async () => {
    const held = holdJobs();
    const { id } = await newTable(bot.client, { age: { type: 'number' } });
    const { table: before } = await requireTableWithIds(bot.id, id);
    await bot.client.updateTable({ table: id, schema: { double: code('row.age * 2', ['age']) } });
    const { table: after } = await requireTableWithIds(bot.id, id);
    await refreshRows(bot.id, before, after);
    const jobs = async () => (await scanItems(bot.id)).filter(({ sk }) => String(sk).startsWith('job#'));
    expect(await jobs()).toEqual([]);
    await bot.client.createTableRows({ table: id, rows: [{ age: 1 }] });

    await Promise.all([refreshRows(bot.id, before, after), refreshRows(bot.id, before, after)]);
    await refreshRows(bot.id, before, after);

    expect(await jobs()).toHaveLength(1);
    expect(await takeHeld(held)).toMatchObject({ tableId: id });
  });

  it('marks many rows in steps during other writes, and keeps their update times', {
    timeout: 60_000,
  }, async () => {
    const ROWS = 400;
    const { id: table } = await newTable(bot.client, { age: { type: 'number' } });
    await bot.client.createTableRows({ table, rows: many(ROWS).map(({ age }) => ({ age })) });
    const { row: before } = await bot.client.getTableRow({ table, id: ROWS });
    const held = holdJobs();
    await bot.client.updateTable({ table, schema: { double: code('row.age * 2', ['age']) } });
    let message = await takeHeld(held);
    let runs = 0;

    for (;;) {
      runs++;
      const [next] = await Promise.all([
        runHeld(message, { timeMs: 0 }).then(() => held.shift()),
        bot.client.updateTableRows({ table, rows: [{ id: 5, age: runs }] }),
      ]);
      if (!next) break;
      message = next;
    }

    expect(runs).toBeGreaterThan(2);
    await expectDoubles(
      table,
      many(ROWS).map(({ age }, i) => 2 * (i === 4 ? runs : age)),
    );
    expect((await bot.client.getTableRow({ table, id: ROWS })).row.createdAt).toBe(before.createdAt);
  });
});

describe('GET /tables/{table}/jobs', () => {
  it('lists the jobs of this table only, newest first', async () => {
    const [table, other] = [await filled(1), await filled(1)];
    const first = await bot.client.exportTable({ table: table.id });
    const second = await bot.client.exportTable({ table: table.id });
    await bot.client.exportTable({ table: other.id });

    const { jobs } = await bot.client.getTableJobs({ table: table.name });

    expect(jobs.map(({ id }) => id)).toEqual([second.job.id, first.job.id]);
    await expect(bot.client.getTableJobs({ table: 'noTable' })).rejects.toMatchObject({ code: 404 });
  });
});

describe('a job', () => {
  it('is deleted a month after its end, and does not run again', async () => {
    const table = await filled(1);
    const { job } = await bot.client.exportTable({ table: table.id });
    const { outputFileId } = await untilEnded(bot.client, job);
    const record = await recordOf(bot, job);

    await runHeld({ botId: bot.id, tableId: table.id, position: record.position, steps: 0 });

    expect(record.ttl! - clock.now() / 1000).toBeGreaterThan(29 * 24 * 3600);
    expect(await recordOf(bot, job)).toEqual(record);
    expect((await bot.client.listFiles({})).files.map(({ id }) => id)).toEqual([outputFileId]);
  });

  it('is ignored after its bot was deleted', async () => {
    const table = await filled(1);
    const held = holdJobs();
    await bot.client.exportTable({ table: table.id });
    const message = await takeHeld(held);
    await bot.workspace.owner.client.deleteBot({ id: bot.id });

    await expect(runHeld(message)).resolves.toBeUndefined();

    expect(runTableJob.sends).toEqual(['tableJobs', 'snapshots']);
  });
});
