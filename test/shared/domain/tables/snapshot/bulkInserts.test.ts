/** Tests that bulk inserts start the log of their table without losing a write, and request snapshots. */
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { clock } from '#shared/core/clock.ts';
import { createRows } from '#shared/domain/tables/rows/createRows.ts';
import type { TableContext } from '#shared/domain/tables/rows/outcome.ts';
import { removeLogged } from '#shared/domain/tables/rows/removeLogged.ts';
import { updateRows } from '#shared/domain/tables/rows/updateRows.ts';
import { upsertById } from '#shared/domain/tables/rows/upsertRows.ts';
import { closeFiles, queryFromSnapshot } from '#shared/domain/tables/snapshot/openFiles.ts';
import { readItem } from '#shared/storage/dynamodb/engine/query.ts';
import { tableIdsKey, tableKey } from '#shared/storage/dynamodb/keys/tables.ts';
import { pendingRevisions } from '#shared/storage/dynamodb/tables/rowLog.ts';
import { requireTable, requireTableToWrite } from '#shared/storage/dynamodb/tables/tables.ts';
import { startLog } from '#shared/storage/dynamodb/tables/tableWrites.ts';
import * as snapshotJobs from '#shared/storage/queues/snapshotJobs.ts';
import { dieWithin } from '#test/support/crashes.ts';
import { holdWithin } from '#test/support/heldCalls.ts';
import { newBot, type TestBot, useSharedPlatform } from '#test/support/platform.ts';
import { newTable } from '#test/support/rowInternals.ts';
import { random } from '#test/support/seed.ts';
import { expectSame, expectSameRows, makeSnapshotOf, sourceOf } from '#test/support/tableSnapshots.ts';
import { isComplete, sampled } from '#test/support/tier.ts';

useSharedPlatform();

const QUIET_MS = 60_000;

let bot: TestBot;
beforeAll(async () => {
  bot = await newBot();
});

const rowsOf = (count: number, text = 'n') =>
  Array.from({ length: count }, (_, i) => ({ name: `${text}${i % 7}`, age: i % 50, tags: [`t${i % 3}`] }));

const insert = (table: string, count: number) => bot.client.createTableRows({ table, rows: rowsOf(count) });

/** @param rows that the table has before it is logged */
async function newTableWith(rows: number): Promise<string> {
  const { id } = await newTable(bot.client, { name: 'Ada', age: 36, tags: ['a'] });
  if (rows > 0) await insert(id, rows);
  return id;
}

async function contextOf(table: string, read = requireTableToWrite): Promise<TableContext> {
  return { bot: { id: bot.id, workspaceId: bot.workspace.id }, table: await read(bot.id, table), nowMs: clock.now() };
}

/** The same calls as `createTableRows`. */
const createIn = (context: TableContext, count: number) =>
  createRows(context, rowsOf(count, 'late'), async (_, writes) => {
    const { write } = await import('#shared/storage/dynamodb/engine/transaction.ts');
    await write(writes);
    return { status: 200, body: {} };
  });

/** The first calls, and some of the others. */
const nextCall = (at: number) => at + (isComplete || at < 5 ? 1 : 7);

const isStarted = async (table: string) => (await requireTable(bot.id, table)).loggedSinceMs !== undefined;

describe('the log of a table', () => {
  it.each([
    ['small calls', [10, 99, 99]],
    ['bulk inserts of less than a thousand rows', [500, 499]],
  ])('is not started by %s', async (_, counts) => {
    const table = await newTableWith(0);
    for (const count of counts) await insert(table, count);

    expect(await isStarted(table)).toBe(false);
    expect(await readItem(tableIdsKey(bot.id, table))).not.toHaveProperty('revision');
  });

  it('is not started by a small call to a large table', async () => {
    const table = await newTableWith(950);
    await insert(table, 99);

    expect(await isStarted(table)).toBe(false);
  });

  it.each([
    [[1_000], 0],
    [[900, 100], 900],
  ])('is started by the last of the bulk inserts %j', async (counts, fromId) => {
    const table = await newTableWith(0);
    for (const count of counts) await insert(table, count);

    expect(await isStarted(table)).toBe(true);
    const { log } = await sourceOf(bot, table);
    expect(log).toMatchObject({ loggedFromId: fromId, revision: 1, loggedRows: counts.at(-1) });
    // A revision without an entry would be polled by every query.
    expect(await pendingRevisions(bot.id, table, log.revision)).toEqual(new Map());
  });

  it('is started once by concurrent bulk inserts', async () => {
    const table = await newTableWith(200);
    await Promise.all(Array.from({ length: 4 }, () => insert(table, 1_000)));

    const { log, lastId } = await sourceOf(bot, table);
    expect(log.loggedFromId).toBe(200);
    expect([lastId, log.loggedRows]).toEqual([4_200, 4_000]);
    expect(await makeSnapshotOf(bot, table)).toMatchObject({ outcome: 'made' });
    await expectSame(bot, table);
  });

  it('is started when a copy of a large table is created', async () => {
    const table = await newTableWith(1_000);
    await vi.waitFor(async () => expect((await bot.client.getTable({ table })).rows).toBe(1_000), 10_000);
    const { table: copy, job } = await bot.client.duplicateTable({ sourceTableId: table });
    await vi.waitFor(
      async () =>
        expect((await bot.client.getTableJobs({ table: copy.id })).jobs).toContainEqual(
          expect.objectContaining({ id: job!.id, status: 'completed' }),
        ),
      20_000,
    );

    expect((await sourceOf(bot, copy.id)).log).toMatchObject({ loggedFromId: 0, loggedRows: 1_000 });
    expect(await makeSnapshotOf(bot, copy.id)).toEqual({ outcome: 'made' });
    await expectSame(bot, copy.id);
  });

  it.each(['unsent', 'lost'] as const)('contains all new rows after a crash at every call: %s', async death => {
    let hasDied = true;
    for (let at = 1; hasDied; at = nextCall(at)) {
      const table = await newTableWith(120);
      const context = await contextOf(table);
      hasDied = await dieWithin({ at, death }, () => createIn(context, 880));
      // Retries what the log does not require to be complete.
      await createIn(await contextOf(table), 1_000);

      expect(await isStarted(table)).toBe(true);
      expect(await makeSnapshotOf(bot, table)).toMatchObject({ outcome: 'made' });
      await bot.client.updateTableRows({ table, rows: [{ id: 3, name: 'n3' }] });
      // Rows of a crashed batch appear when its time is up.
      clock.advance(300_000);
      await expectSameRows(bot, table);
    }
  });

  it('does not restore a table that is deleted meanwhile', async () => {
    let isHeld = true;
    for (let at = 1; isHeld; at = nextCall(at)) {
      const table = await newTableWith(200);
      const context = await contextOf(table);
      isHeld = await holdWithin(
        at,
        () => createIn(context, 800).catch(error => expect(error).toMatchObject({ type: 'ResourceNotFound' })),
        () => bot.client.deleteTable({ table }),
      );

      for (const key of [tableKey(bot.id, table), tableIdsKey(bot.id, table)]) {
        expect(await readItem(key)).toBeUndefined();
      }
    }
  });
});

/** Rows before the log, whose last id is `BEFORE`. */
const BEFORE = 150;
const OLD = [1, 5, BEFORE];
/** Rows that do not exist when the held call reads the table. */
const NEW = [BEFORE + 1, BEFORE + 20, BEFORE + 1_000];
const manyIds = Array.from({ length: 30 }, (_, i) => BEFORE - 14 + i);

const WRITES: [string, (context: TableContext) => Promise<unknown>][] = [
  ['an insert of one row', context => createIn(context, 1)],
  ['an insert of 50 rows', context => createIn(context, 50)],
  ['an insert of 100 rows', context => createIn(context, 100)],
  [
    'updates',
    context =>
      updateRows(
        context,
        [...OLD, ...NEW].map(id => ({ id, name: 'n3' })),
      ),
  ],
  [
    'updates of many rows',
    context =>
      updateRows(
        context,
        manyIds.map(id => ({ id, age: 45 })),
      ),
  ],
  ['deletions', context => removeLogged(context, [...OLD, ...NEW])],
  [
    'upserts',
    context =>
      upsertById(
        context,
        [...OLD, ...NEW, 0].map(id => ({ id, name: 'n3', tags: ['t1'] })),
      ),
  ],
];

const READS = [
  ['with its last id', requireTableToWrite],
  ['alone', requireTable],
] as const;

describe.each(WRITES.map(([name, run], i) => ({ name, run, reads: sampled(READS, 2, i) })))(
  '$name by a call that read the table before a bulk insert',
  ({ run, reads }) => {
    it.each(reads)('is in the next query, held at any of its calls, if it read the table %s', async (__, read) => {
      let isHeld = true;
      for (let at = 1; isHeld; at = nextCall(at)) {
        const table = await newTableWith(BEFORE);
        const context = await contextOf(table, read);
        isHeld = await holdWithin(
          at,
          () => run(context),
          async () => {
            await createIn(await contextOf(table), 1_000);
            expect(await makeSnapshotOf(bot, table)).toMatchObject({ outcome: 'made' });
            expect(await queryFromSnapshot(await sourceOf(bot, table), true, file => file.count)).toBeDefined();
          },
        );

        await expectSameRows(bot, table);
        // Nothing is written without an entry any more, and the stored file reads the old rows once.
        clock.advance(QUIET_MS + 1_000);
        closeFiles();
        await expectSameRows(bot, table);
      }
    });
  },
);

describe('a row that is older than the log', () => {
  it('is read again until the quiet period ends', async () => {
    const table = await newTableWith(BEFORE);
    const context = await contextOf(table);
    await insert(table, 1_000);
    await makeSnapshotOf(bot, table);
    await expectSame(bot, table);

    // The record is fresh, and does not know of the log.
    await updateRows(context, [{ id: 7, name: 'n3' }]);

    expect((await sourceOf(bot, table)).log.revision).toBe(1);
    await expectSame(bot, table);
    expect((await sourceOf(bot, table)).log.snapshot!.unsettled).toMatchObject({ upTo: BEFORE });
  });

  it.each([
    ['are more than a fifth of the table', 300, 1_000],
    ['are more than 5,000', 5_100, 1_000],
  ])('delays the snapshot until then if such rows %s', async (_, before, added) => {
    const table = await newTableWith(0);
    while ((await sourceOf(bot, table)).lastId < before) await insert(table, 99);
    for (let i = 0; i < added; i += 1_000) await insert(table, 1_000);

    expect(await makeSnapshotOf(bot, table)).toMatchObject({ outcome: 'quietPeriod' });
    expect(await makeSnapshotOf(bot, table, {}, 0)).toMatchObject({ outcome: 'made' });
    expect((await sourceOf(bot, table)).log.snapshot!.unsettled).toBeUndefined();
    await expectSame(bot, table);
  });
});

describe('a snapshot', () => {
  const requests = () => vi.spyOn(snapshotJobs, 'enqueueSnapshot').mockResolvedValue();

  it('is not requested for a small table', async () => {
    const table = await newTableWith(0);
    const enqueue = requests();
    for (let i = 0; i < 4; i++) await insert(table, 1_000);

    expect(enqueue).not.toHaveBeenCalled();
  });

  it('is requested once per 5,000 changed rows, also by concurrent calls and by updates', async () => {
    const table = await newTableWith(0);
    const enqueue = requests();
    await insert(table, 1_000);
    await Promise.all(Array.from({ length: 9 }, () => insert(table, 1_000)));
    const job = { botId: bot.id, tableId: table, seen: -1, isLost: false };
    expect(enqueue.mock.calls).toEqual([[job], [job]]);
    expect(await makeSnapshotOf(bot, table)).toEqual({ outcome: 'made' });
    enqueue.mockClear();

    for (let i = 0; i < 5; i++) {
      const rows = Array.from({ length: 1_000 }, (_, n) => ({ id: i * 1_000 + n + 1, age: 1 }));
      await bot.client.updateTableRows({ table, rows });
    }

    expect(enqueue.mock.calls).toEqual([[{ ...job, seen: 10 }]]);
    await expectSame(bot, table);
  });

  it('is followed by another one if many rows arrived during its construction', async () => {
    const table = await newTableWith(1_000);
    requests();
    // The first call after those that read the table.
    const made: unknown[] = [];
    await holdWithin(
      4,
      async () => made.push(await makeSnapshotOf(bot, table)),
      async () => {
        for (let i = 0; i < 3; i++) await insert(table, 1_000);
      },
    );
    const next = { botId: bot.id, tableId: table, seen: 1, isLost: false };
    expect(made).toEqual([{ outcome: 'made', next }]);

    expect(await makeSnapshotOf(bot, table, next)).toEqual({ outcome: 'made' });
    await expectSame(bot, table);
  });

  it('does not fail a call when it cannot be requested', async () => {
    const table = await newTableWith(1_000);
    vi.spyOn(snapshotJobs, 'enqueueSnapshot').mockRejectedValue(new Error('The queue is unavailable.'));
    for (let i = 0; i < 4; i++) expect((await insert(table, 1_000)).rows).toHaveLength(1_000);
  });
});

it.each(sampled([1, 2, 3], 3))('has the same results as a scan during random writes: round %i', async () => {
  const table = await newTableWith(Math.floor(random() * 200));
  const anyId = () => 1 + Math.floor(random() * 1_500);
  const anyIds = () => [...new Set(Array.from({ length: 1 + Math.floor(random() ** 3 * 40) }, anyId))];
  const steps: (() => Promise<unknown>)[] = [
    () => insert(table, 1 + Math.floor(random() ** 2 * 150)),
    () => insert(table, 1_000),
    () => bot.client.updateTableRows({ table, rows: anyIds().map(id => ({ id, age: 45, name: `n${id % 7}` })) }),
    () => bot.client.deleteTableRows({ table, ids: anyIds() }),
    () => bot.client.upsertTableRows({ table, rows: anyIds().map(id => ({ id, tags: [`t${id % 3}`] })) }),
    async () => updateRows(await contextOf(table, requireTable), [{ id: anyId(), name: 'n3' }]),
    () => startLog(bot.id, table, clock.now()),
    async () => makeSnapshotOf(bot, table, { seen: (await sourceOf(bot, table)).log.snapshot?.revision ?? -1 }),
    () => bot.client.findTableRows({ table, filter: { name: 'n3' } }),
    async () => closeFiles(),
  ];
  const act = async () => {
    for (let i = 0; i < 15; i++) await steps[Math.floor(random() * steps.length)]!();
  };
  await Promise.all([act(), act(), act(), act()]);
  await insert(table, 1_000);
  await makeSnapshotOf(bot, table, {}, 0);

  await expectSame(bot, table);
  closeFiles();
  await expectSame(bot, table);
});
