/** Tests that an export is a single complete file despite killed functions. */
import { randomBytes } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { write } from '#shared/storage/dynamodb/engine/transaction.ts';
import { allocateIds, putRows } from '#shared/storage/dynamodb/tables/rowWrites.ts';
import { setQuota } from '#shared/storage/dynamodb/workspace/usage.ts';
import { onCalls } from '#test/support/awsCalls.ts';
import { objectsOf, usageOf } from '#test/support/fileInternals.ts';
import { fileOf } from '#test/support/files.ts';
import { eventually, newBot, type TestBot, useSharedPlatform } from '#test/support/platform.ts';
import { newTable } from '#test/support/rowInternals.ts';
import { stagedKeys } from '#test/support/stagedObjects.ts';
import {
  contentOf,
  holdJobs,
  importContent,
  recordOf,
  rowsOf,
  runHeld,
  runInSteps,
  runUntilGivenUp,
  takeHeld,
  untilEnded,
} from '#test/support/tableJobs.ts';
import { sampled } from '#test/support/tier.ts';

useSharedPlatform();

const killed = () => Promise.reject(new Error('killed'));
afterEach(() => vi.restoreAllMocks());

let bot: TestBot;
beforeEach(async () => {
  bot = await newBot();
});

const SCHEMA = {
  name: { type: 'string' },
  age: { type: 'number' },
  isAdmin: { type: 'boolean' },
  address: { type: 'object' },
  tags: { type: 'array' },
};
const ROWS = [
  { name: 'Ada, "Countess"', age: 36.5, isAdmin: true, address: { city: 'London', lines: ['a\nb'] }, tags: [1, 'x'] },
  { name: '', age: -1e21, isAdmin: false, address: {}, tags: [] },
  { name: null, age: null, isAdmin: null, address: null, tags: null },
  { name: ' line\r\nbreak ; and\ttab – ümläut 🦊', age: 0, isAdmin: true, address: { 'a"b': null }, tags: [[]] },
];

async function filledTable(options: object = {}) {
  const table = await newTable(bot.client, SCHEMA, options);
  const { errors } = await bot.client.createTableRows({ table: table.id, rows: ROWS });
  expect(errors).toBeUndefined();
  return table;
}

/** Creates a table of incompressible rows of 40 KB each. */
async function largeTable(count: number) {
  const table = await newTable(bot.client, { n: 0, text: 'x' }, { factor: 30 });
  const [n, text] = ['n', 'text'].map(name => table.schema.properties[name]!['x-zui'].id!);
  await allocateIds(bot.id, table.id, count);
  const rows = Array.from({ length: count }, (_, i) => ({
    id: i + 1,
    createdAtMs: 1,
    updatedAtMs: 1,
    version: 1,
    values: { [n!]: String(i), [text!]: randomBytes(30_000).toString('base64') },
    cells: {},
    pending: [],
    isUnindexed: false,
  }));
  await putRows(bot.id, table.id, rows);
  return table;
}

async function exported(table: string, options: { format?: 'csv' | 'json'; compress?: boolean } = {}) {
  const { job } = await bot.client.exportTable({ table, ...options });
  const end = await untilEnded(bot.client, job);
  expect(end).toMatchObject({ status: 'completed', progress: 100, type: 'export' });
  return { job: end, ...(await contentOf(bot.client, end.outputFileId!)) };
}

describe('GET /tables/{table}/export', () => {
  it('returns a listed job whose file belongs to the bot', async () => {
    const table = await filledTable();

    const { job } = await bot.client.exportTable({ table: table.name });

    expect(job).toEqual({
      id: expect.stringMatching(/^tjob_[0-9A-Za-z]{23}$/),
      botId: bot.id,
      tableId: table.id,
      type: 'export',
      status: 'pending',
      progress: 0,
      inputFileId: null,
      outputFileId: null,
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
    });
    const { outputFileId } = await untilEnded(bot.client, job);
    const file = await fileOf(bot.client, outputFileId!);
    expect(file).toMatchObject({
      key: `tables/${table.name}/export-${job.id}.csv`,
      owner: { type: 'bot', id: bot.id },
      status: 'upload_completed',
      contentType: 'text/csv',
      index: false,
    });
    await eventually(async () => {
      const used = await usageOf(bot.workspace.owner.client, bot.workspace.id);
      expect(used.bytes).toBe(file.size);
    });
  });

  it('writes CSV with a header line and the columns in order', async () => {
    const { bytes } = await exported((await filledTable()).id);

    const time = /\d{4}-\d\d-\d\dT[\d:.]+Z/g;
    expect(bytes.toString().replace(time, 'T').split('\r\n').slice(0, 4)).toEqual([
      'id,name,age,isAdmin,address,tags,createdAt,updatedAt',
      '1,"Ada, ""Countess""",36.5,true,"{""city"":""London"",""lines"":[""a\\nb""]}","[1,""x""]",T,T',
      '2,"",-1e+21,false,{},[],T,T',
      '3,,,,,,T,T',
    ]);
  });

  it('writes JSON with the schema, compressed by default', async () => {
    const table = await filledTable({ keyColumn: 'age', tags: { a: 'b' }, factor: 2 });

    const packed = await exported(table.id, { format: 'json' });
    const plain = await exported(table.id, { format: 'json', compress: false });

    expect([packed.key.slice(-8), plain.key.slice(-5)]).toEqual(['.json.gz', '.json']);
    const text = plain.bytes.toString();
    expect(gunzipSync(packed.bytes).toString()).toBe(text);
    const { schema, name } = table;
    const { rows, ...rest } = JSON.parse(text);
    expect(rest).toEqual({ table: { name, schema, keyColumn: 'age', factor: 2, tags: { a: 'b' } } });
    expect(rows.map(({ createdAt: _, updatedAt: __, id: ___, ...row }: Record<string, unknown>) => row)).toEqual(ROWS);
  });

  const formats = [
    ['csv', false],
    ['csv', true],
    ['json', true],
    ['json', false],
  ] as const;
  it.each(sampled(formats, 2))('writes %s (compressed: %s) that an import can read', async (format, compress) => {
    const table = await filledTable();
    const copy = await newTable(bot.client, SCHEMA);

    const { key, bytes } = await exported(table.id, { format, compress });
    const { job, errors } = await importContent(bot, copy.id, bytes, `again/${key}`);

    expect({ status: job.status, errors }).toEqual({ status: 'completed', errors: [] });
    expect(await rowsOf(bot.client, copy.id)).toEqual(await rowsOf(bot.client, table.id));
  });

  it('writes an empty table', async () => {
    const { id } = await newTable(bot.client, SCHEMA);

    const csv = await exported(id);
    const json = await exported(id, { format: 'json', compress: false });

    expect(csv.bytes.toString().trim().split('\r\n')).toHaveLength(1);
    expect(JSON.parse(json.bytes.toString()).rows).toEqual([]);
  });

  it('returns 404 for an unknown table and 400 for an unknown format', async () => {
    const table = await filledTable();

    await expect(bot.client.exportTable({ table: 'noTable' })).rejects.toMatchObject({ code: 404 });
    await expect(bot.client.exportTable({ table: table.id, format: 'xml' as 'csv' })).rejects.toMatchObject({
      code: 400,
    });
  });
});

describe('an export', () => {
  it.each(sampled([true, false], 2))(
    'resumes after its last part after a timeout (compressed: %s)',
    { timeout: 120_000 },
    async compress => {
      const table = await largeTable(500);
      const held = holdJobs();
      const { job } = await bot.client.exportTable({ table: table.id, format: 'json', compress });

      const runs = await runInSteps(held, bot, job);

      expect(runs).toBeGreaterThan(1);
      const { bytes } = await contentOf(bot.client, (await recordOf(bot, job)).outputFileId!);
      const { rows } = JSON.parse((compress ? gunzipSync(bytes) : bytes).toString());
      expect(rows.map(({ n }: { n: number }) => n)).toEqual(Array.from({ length: 500 }, (_, i) => i));
    },
  );

  it('writes one file if two functions run it concurrently', { timeout: 120_000 }, async () => {
    const table = await largeTable(300);
    const held = holdJobs();
    const { job } = await bot.client.exportTable({ table: table.id });
    const message = await takeHeld(held);

    await Promise.all([runHeld(message), runHeld(message), runHeld(message)]);

    const { outputFileId } = await recordOf(bot, job);
    const { bytes } = await contentOf(bot.client, outputFileId!);
    expect(bytes.toString().trimEnd().split('\r\n')).toHaveLength(301);
    expect((await bot.client.listFiles({})).files).toHaveLength(1);
  });

  it('is completed by the next run if it is killed after its object was written', { timeout: 60_000 }, async () => {
    const table = await largeTable(300);
    const held = holdJobs();
    const { job } = await bot.client.exportTable({ table: table.id });
    const message = await takeHeld(held);
    onCalls({ command: 'TransactWriteItems', part: '#file_' }, (send, nth) => (nth === 1 ? killed() : send()));

    await expect(runHeld(message)).rejects.toThrow('killed');
    const staged = await stagedKeys();
    await runHeld(message, { attempt: 2 });
    await runHeld(await takeHeld(held));

    const { outputFileId, status } = await recordOf(bot, job);
    expect(status).toBe('completed');
    expect(staged.filter(key => key.includes(outputFileId!))).toHaveLength(1);
    expect((await stagedKeys()).filter(key => key.includes(outputFileId!))).toEqual([]);
    const { bytes } = await contentOf(bot.client, outputFileId!);
    expect(bytes.toString().trimEnd().split('\r\n')).toHaveLength(301);
  });

  it('fails if the quota leaves no space for its file, and leaves no object', async () => {
    const table = await filledTable();
    await write([setQuota(bot.workspace.id, 'storage_count', 10)]);

    const { job } = await bot.client.exportTable({ table: table.id });
    const end = await untilEnded(bot.client, job);

    expect(end).toMatchObject({ status: 'failed', outputFileId: null });
    expect((await recordOf(bot, job)).reason).toMatch(/quota/);
    expect(await objectsOf(bot.id)).toEqual([]);
  });

  it('fails when its table is deleted during the export', async () => {
    const table = await filledTable();
    const held = holdJobs();
    const { job } = await bot.client.exportTable({ table: table.id });
    const message = await takeHeld(held);
    const before = await recordOf(bot, job);

    await bot.client.deleteTable({ table: table.id });
    await runHeld(message);

    const { findJob } = await import('#shared/storage/dynamodb/tables/jobs.ts');
    const after = await findJob(bot.id, table.id, before.position);
    expect(after === undefined || after.status === 'failed').toBe(true);
    expect((await bot.client.listFiles({})).files).toEqual([]);
  });

  it('is retried after a failure of the platform, and then fails with a reason', async () => {
    const table = await filledTable();
    const held = holdJobs();
    const { job } = await bot.client.exportTable({ table: table.id });
    onCalls({ command: 'PutObject' }, () => Promise.reject(new Error('The store is unavailable.')));

    const failures = await runUntilGivenUp(held);

    expect(failures).toBeGreaterThan(2);
    const { status, reason } = await recordOf(bot, job);
    expect({ status, reason }).toEqual({ status: 'failed', reason: expect.stringContaining('our side') });
  });
});
