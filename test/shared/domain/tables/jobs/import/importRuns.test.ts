/** Tests that imports add each row once despite killed functions, and enforce their limits. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { write } from '#shared/storage/dynamodb/engine/transaction.ts';
import { rowsPk } from '#shared/storage/dynamodb/keys/tables.ts';
import * as rowWrites from '#shared/storage/dynamodb/tables/rowWrites.ts';
import { setQuota } from '#shared/storage/dynamodb/workspace/usage.ts';
import { onCalls } from '#test/support/awsCalls.ts';
import { objectsOf } from '#test/support/fileInternals.ts';
import { eventually, newBot, settled, type TestBot, useSharedPlatform } from '#test/support/platform.ts';
import { newTable } from '#test/support/rowInternals.ts';
import { sweepTomorrow } from '#test/support/stagedObjects.ts';
import { partitionItems } from '#test/support/tableItems.ts';
import {
  errorsOf,
  holdJobs,
  importContent,
  recordOf,
  rowsOf,
  runHeld,
  runInSteps,
  runUntilGivenUp,
  startImport,
  takeHeld,
  untilEnded,
} from '#test/support/tableJobs.ts';
import { sampled } from '#test/support/tier.ts';

useSharedPlatform();
afterEach(() => vi.restoreAllMocks());

let bot: TestBot;
beforeEach(async () => {
  bot = await newBot();
});

const table = async (schema: Record<string, unknown>, options: object = {}) =>
  (await newTable(bot.client, schema, options)).id;
const namesIn = async (id: string) => (await rowsOf(bot.client, id)).map(({ name }) => name);

const manyLines = (count: number) => `name,age\n${Array.from({ length: count }, (_, i) => `n${i},${i}\n`).join('')}`;
const agesIn = async (id: string) => (await rowsOf(bot.client, id)).map(({ age }) => age);
const agesTo = (count: number) => Array.from({ length: count }, (_, i) => i);

describe('an import', () => {
  it.each(sampled([undefined, 'name'], 2, 0))(
    'adds each row once despite repeated timeouts (key: %s)',
    { timeout: 60_000 },
    async keyColumn => {
      const id = await table({ name: 'Ada', age: 36 }, { keyColumn });
      const held = holdJobs();
      const job = await startImport(bot.client, id, manyLines(2_200), 'x.csv');

      const runs = await runInSteps(held, bot, job);

      expect(runs).toBeGreaterThan(4);
      expect(await agesIn(id)).toEqual(agesTo(2_200));
      expect(await recordOf(bot, job)).toMatchObject({ status: 'completed', progress: 100 });
    },
  );

  it.each(sampled([undefined, 'name'], 2, 1))(
    'adds each row once when killed before, during or after a checkpoint (key: %s)',
    { timeout: 60_000 },
    async keyColumn => {
      const id = await table({ name: 'Ada', age: 36 }, { keyColumn });
      const held = holdJobs();
      const job = await startImport(bot.client, id, `${manyLines(1_100)}wrong,x\n`, 'x.csv');
      const message = await takeHeld(held);
      const writing = await import('#shared/domain/tables/rows/insertRows.ts');
      const insert = writing.insertRows;
      vi.spyOn(writing, 'insertRows')
        .mockImplementationOnce(async () => Promise.reject(new Error('killed before')))
        .mockImplementationOnce(async (context, some, outcome) => {
          await insert(context, some.slice(0, 200), outcome);
          throw new Error('killed amid');
        })
        .mockImplementationOnce(async (context, some, outcome) => {
          await insert(context, some, outcome);
          throw new Error('killed behind');
        });

      await expect(runHeld(message)).rejects.toThrow('killed before');
      await runHeld(message, { attempt: 2 });
      await expect(runHeld(await takeHeld(held))).rejects.toThrow('killed amid');
      await bot.client.updateTableRows({ table: id, rows: [{ id: 7, name: 'changed meanwhile' }] });
      await expect(runHeld({ ...message, steps: 1 }, { attempt: 2 })).rejects.toThrow('killed behind');
      await runHeld({ ...message, steps: 1 }, { attempt: 3 });

      expect(await recordOf(bot, job)).toMatchObject({ status: 'completed' });
      expect(await agesIn(id)).toEqual(agesTo(1_100));
      expect((await namesIn(id))[6]).toBe('changed meanwhile');
      const [end] = (await bot.client.getTableJobs({ table: id })).jobs;
      expect(await errorsOf(bot.client, end!)).toEqual([expect.stringMatching(/^1101,1102,/)]);
    },
  );

  it.each(sampled([undefined, 'name'], 2, 1))(
    'adds each row once if several functions run it concurrently (key: %s)',
    { timeout: 60_000 },
    async keyColumn => {
      const id = await table({ name: 'Ada', age: 36 }, { keyColumn });
      const held = holdJobs();
      const job = await startImport(bot.client, id, manyLines(1_100), 'x.csv');
      const message = await takeHeld(held);

      await Promise.all(
        [0, 0, 5, 20].map(async roundTrips => {
          for (let i = 0; i < roundTrips; i++) await recordOf(bot, job);
          await runHeld(message);
        }),
      );

      expect(await recordOf(bot, job)).toMatchObject({ status: 'completed' });
      expect(await agesIn(id)).toEqual(agesTo(1_100));
    },
  );

  it('writes 2,600 rows in chunks, under distinct ids', { timeout: 120_000 }, async () => {
    const id = await table({ name: 'Ada', age: 36 });
    const puts = vi.spyOn(rowWrites, 'putRows');

    const { job, errors } = await importContent(bot, id, manyLines(2_600));

    expect({ status: job.status, errors }).toEqual({ status: 'completed', errors: [] });
    expect(Math.max(...puts.mock.calls.map(([, , some]) => some.length))).toBeLessThanOrEqual(500);
    const all = await rowsOf(bot.client, id);
    expect(new Set(all.map(row => row.id)).size).toBe(2_600);
    expect(all.map(({ age }) => age)).toEqual(agesTo(2_600));
  });

  it('reports a very large number of errors, and leaves no intermediate objects', {
    timeout: 60_000,
  }, async () => {
    const id = await table({ name: 'Ada', age: 36 });

    const { job, errors } = await importContent(bot, id, `name,age\n${'Ada,old\n'.repeat(3_000)}Bob,7\n`);

    expect(errors).toHaveLength(3_000);
    expect(errors.at(-1)).toMatch(/^3000,3001,/);
    expect(await namesIn(id)).toEqual(['Bob']);
    expect(await objectsOf(bot.id, job.outputFileId!)).toHaveLength(1);
  });

  it('keeps its intermediate objects between runs, and deletes them when it fails', async () => {
    const id = await table({ name: 'Ada', age: 36 });
    const held = holdJobs();
    const job = await startImport(bot.client, id, `name,age\n${'Ada,old\n'.repeat(3_000)}`, 'x.csv');
    for (let run = 0; run < 3; run++) await runHeld(await takeHeld(held), { timeMs: 0 });
    const pieces = (await objectsOf(bot.id)).filter(key => !key.includes(job.inputFileId!));
    await sweepTomorrow();
    await bot.client.updateTable({ table: id, schema: { age: null } });

    await runHeld(await takeHeld(held));

    const { status, outputFileId } = await recordOf(bot, job);
    expect(status).toBe('failed');
    expect(pieces.length).toBeGreaterThan(0);
    expect((await objectsOf(bot.id)).filter(key => pieces.includes(key))).toEqual([]);
    expect(await errorsOf(bot.client, { outputFileId: outputFileId! })).toHaveLength(1_501);
    expect(await objectsOf(bot.id, outputFileId!)).toHaveLength(1);
  });

  it('fails when the row quota is exhausted, and keeps the rows added', async () => {
    const id = await table({ name: 'Ada', age: 36 });
    await write([setQuota(bot.workspace.id, 'table_row_count', 5)]);

    const { job, errors } = await importContent(bot, id, manyLines(6));

    expect(job.status).toBe('failed');
    expect(errors).toEqual([expect.stringMatching(/quota/)]);
    expect(await rowsOf(bot.client, id)).toEqual([]);
  });

  it('fails when a column of the file is removed during the import', async () => {
    const id = await table({ name: 'Ada', age: 36 });
    const held = holdJobs();
    const job = await startImport(bot.client, id, manyLines(1_200), 'x.csv');
    await runHeld(await takeHeld(held), { timeMs: 0 });
    await bot.client.updateTable({ table: id, schema: { age: null } });

    await runHeld(await takeHeld(held));

    expect((await recordOf(bot, job)).reason).toContain('"age" was deleted');
  });

  it('writes nothing when the table is deleted during the import', async () => {
    const id = await table({ name: 'Ada', age: 36 });
    const held = holdJobs();
    await startImport(bot.client, id, 'name,age\nAda,36\nBob,old\n', 'x.csv');
    const message = await takeHeld(held);
    await bot.client.deleteTable({ table: id });
    await settled();

    await runHeld(message);

    const { files } = await bot.client.listFiles({});
    expect(files.map(({ key }) => key)).toEqual(['x.csv']);
    expect(await partitionItems(rowsPk(message.botId, message.tableId, 0))).toEqual([]);
    expect(held).toEqual([]);
  });

  it('uses the column names at the time it was created', async () => {
    const id = await table({ name: 'Ada', age: 36 });
    const held = holdJobs();
    const job = await startImport(bot.client, id, manyLines(700), 'x.csv');
    await runHeld(await takeHeld(held), { timeMs: 0 });
    await bot.client.renameTableColumn({ table: id, name: 'age', newName: 'years' });

    await runHeld(await takeHeld(held));

    expect(await recordOf(bot, job)).toMatchObject({ status: 'completed' });
    expect((await rowsOf(bot.client, id)).map(({ years }) => years)).toEqual(agesTo(700));
  });

  it('fails when its file is replaced before it is read', async () => {
    const id = await table({ name: 'Ada', age: 36 });
    const held = holdJobs();
    const job = await startImport(bot.client, id, manyLines(3), 'x.csv');
    const message = await takeHeld(held);
    await bot.client.deleteFile({ id: 'x.csv' });
    await eventually(async () => expect(await objectsOf(bot.id)).toEqual([]));

    await runHeld(message);

    expect((await recordOf(bot, job)).reason).toContain('deleted or replaced');
  });

  it('fails with a reason after it was killed repeatedly', async () => {
    const id = await table({ name: 'Ada', age: 36 });
    const held = holdJobs();
    const job = await startImport(bot.client, id, manyLines(3), 'x.csv');
    const unavailable = () => Promise.reject(new Error('The database is unavailable.'));
    onCalls({ command: 'BatchWriteItem', part: `${id}#rows#` }, unavailable);

    await runUntilGivenUp(held);

    expect(await recordOf(bot, job)).toMatchObject({ status: 'failed', reason: expect.stringContaining('our side') });
    const end = await untilEnded(bot.client, job);
    expect(await errorsOf(bot.client, end)).toEqual([expect.stringContaining('our side')]);
  });
});
