import { randomUUID } from 'node:crypto';
import { BatchWriteCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { beforeAll, beforeEach, describe, expect, inject, it, vi } from 'vitest';
import { migrate } from '#functions/events/migrate.ts';
import { localCredentials } from '#infra/local/localPlatform.ts';
import { ensureTable } from '#infra/local/services/ensureTable.ts';
import { environment, VARIABLES } from '#shared/core/environment.ts';
import type { Migration } from '#shared/events/migrations/migration.ts';
import { runMigrations } from '#shared/events/migrations/runMigrations.ts';
import { documents } from '#shared/storage/dynamodb/engine/client.ts';
import { partitionQuery, queryPage } from '#shared/storage/dynamodb/engine/query.ts';
import { tryWrite } from '#shared/storage/dynamodb/engine/transaction.ts';
import { migrationKey } from '#shared/storage/dynamodb/keys/migrations.ts';
import { listMigrationProgress } from '#shared/storage/dynamodb/maintenance/migrations.ts';
import { inRoleOf } from '#test/support/inRoles.ts';
import { ownRegion } from '#test/support/ownRegion.ts';
import { recordLog } from '#test/support/recordLog.ts';
import { scanItems } from '#test/support/tableItems.ts';

const RECORDS = 100;
const STEP = 10;
const ALWAYS = () => true;
let pk: string;

beforeAll(async () => {
  Object.assign(process.env, localCredentials(ownRegion()), {
    AWS_ENDPOINT_URL_DYNAMODB: inject('dynamodbEndpoint'),
    [VARIABLES.tableName]: `test-${randomUUID()}`,
  });
  await ensureTable(inject('dynamodbEndpoint'), environment.tableName);
});

/** Writes records in the form of an earlier version: a name in one text. */
beforeEach(async () => {
  pk = `people-${randomUUID()}`;
  const done = await listMigrationProgress();
  for (const { number } of done) await tryWrite({ remove: { Key: migrationKey(number) } });
  for (let i = 0; i < RECORDS; i += 25) {
    const requests = Array.from({ length: 25 }, (_, j) => ({
      PutRequest: { Item: { pk, sk: `p${String(i + j).padStart(3, '0')}`, name: 'Ada Lovelace', version: 1 } },
    }));
    await documents.send(new BatchWriteCommand({ RequestItems: { [environment.tableName]: requests } }));
  }
});

/** Splits the name. @param meet is called before each item is written */
const splitNames = (meet: (sk: string) => Promise<void> | void = () => {}): Migration => ({
  number: 1,
  name: 'split-names',
  writes: [],
  step: async cursor => {
    const { items, next } = await queryPage({
      ...partitionQuery(pk),
      Limit: STEP,
      ConsistentRead: true,
      ExclusiveStartKey: cursor === undefined ? undefined : { pk, sk: cursor },
    });
    let changed = 0;
    for (const { sk, name, version } of items) {
      await meet(sk);
      if (name === undefined) continue;
      const [first, last] = String(name).split(' ');
      const isDone = await tryWrite({
        update: {
          Key: { pk, sk },
          UpdateExpression: 'SET #first = :first, #last = :last, version = :next REMOVE #name',
          ConditionExpression: 'version = :version',
          ExpressionAttributeNames: { '#first': 'first', '#last': 'last', '#name': 'name' },
          ExpressionAttributeValues: { ':first': first, ':last': last, ':version': version, ':next': version + 1 },
        },
      });
      if (isDone) changed++;
    }
    return { next: next?.sk, changed };
  },
});

const records = () => scanItems(pk);
const isSplit = ({ first, last, name }: Record<string, unknown>) =>
  first !== undefined && last !== undefined && name === undefined;

describe('a migration', () => {
  it('processes everything once, and completes', async () => {
    const migration = splitNames();

    expect(await runMigrations([migration], ALWAYS)).toEqual({ outcome: 'done', changed: RECORDS });
    expect(await runMigrations([migration], ALWAYS)).toEqual({ outcome: 'none', changed: 0 });

    expect((await records()).every(isSplit)).toBe(true);
    expect(await listMigrationProgress()).toMatchObject([
      { number: 1, changed: RECORDS, doneAtMs: expect.any(Number) },
    ]);
  });

  it('resumes after its last step after a timeout', async () => {
    const looked: string[] = [];
    const migration = splitNames(sk => void looked.push(sk));
    let steps = 0;

    expect(await runMigrations([migration], () => ++steps <= 3)).toEqual({ outcome: 'timeUp', changed: 3 * STEP });
    expect(await runMigrations([migration], ALWAYS)).toEqual({ outcome: 'done', changed: RECORDS - 3 * STEP });

    expect(looked).toEqual([...new Set(looked)]);
    expect((await records()).every(isSplit)).toBe(true);
  });

  it('repeats an interrupted step without changing anything twice', async () => {
    recordLog();
    let isBroken = true;
    const migration = splitNames(sk => {
      if (isBroken && sk === 'p035') throw new Error('killed');
    });

    expect(await runMigrations([migration], ALWAYS)).toEqual({ outcome: 'failed', changed: 3 * STEP });
    expect(await listMigrationProgress()).toMatchObject([{ error: 'Error: killed', cursor: 'p029', steps: 3 }]);
    isBroken = false;
    await runMigrations([migration], ALWAYS);

    const all = await records();
    expect(all.every(isSplit)).toBe(true);
    expect(all.map(({ version }) => version)).toEqual(all.map(() => 2));
    expect(await listMigrationProgress()).toMatchObject([{ steps: 11, doneAtMs: expect.any(Number) }]);
    expect((await listMigrationProgress())[0]).not.toHaveProperty('error');
    vi.restoreAllMocks();
  });

  it('keeps concurrent writes in the new form', async () => {
    const rename = async (sk: string) => {
      await documents.send(
        new UpdateCommand({
          TableName: environment.tableName,
          Key: { pk, sk },
          UpdateExpression: 'SET #first = :first, #last = :last REMOVE #name ADD version :one',
          ExpressionAttributeNames: { '#first': 'first', '#last': 'last', '#name': 'name' },
          ExpressionAttributeValues: { ':first': 'Grace', ':last': 'Hopper', ':one': 1 },
        }),
      );
    };
    // Renames between the step's read and its write.
    const renamed: string[] = [];
    const migration = splitNames(async sk => {
      if (Number(sk.slice(1)) % 7 !== 0) return;
      renamed.push(sk);
      await rename(sk);
    });

    await runMigrations([migration], ALWAYS);

    const all = await records();
    expect(all.every(isSplit)).toBe(true);
    expect(
      all
        .filter(({ first }) => first === 'Grace')
        .map(({ sk }) => sk)
        .sort(),
    ).toEqual(renamed.sort());
  });

  it('is continued by one of two concurrent runs', async () => {
    const outcomes = await Promise.all([1, 2, 3].map(() => runMigrations([splitNames()], ALWAYS)));

    expect(outcomes.filter(({ outcome }) => outcome === 'done')).toHaveLength(1);
    expect(outcomes.filter(({ outcome }) => outcome === 'other')).toHaveLength(2);
    const all = await records();
    expect(all.map(({ version }) => version)).toEqual(all.map(() => 2));
  });

  it('waits for the previous migration', async () => {
    recordLog();
    const second = { number: 2, name: 'second', writes: [], step: vi.fn(async () => ({ changed: 0 })) };
    const broken: Migration = { number: 1, name: 'first', writes: [], step: () => Promise.reject(new Error('broken')) };

    await runMigrations([broken, second], ALWAYS);
    expect(second.step).not.toHaveBeenCalled();
    await runMigrations([splitNames(), second], ALWAYS);

    expect(second.step).toHaveBeenCalledOnce();
  });

  it('is recorded by a consumer with the partitions that migrations declare', async () => {
    const migration: Migration = { number: 1, name: 'nothing', writes: [], step: async () => ({ changed: 1 }) };

    const runInRole = inRoleOf(migrate, runMigrations);

    expect(await runInRole([migration], ALWAYS)).toEqual({ outcome: 'done', changed: 1 });
    expect(await runInRole([migration], ALWAYS)).toEqual({ outcome: 'none', changed: 0 });
    await expect(inRoleOf(migrate, () => queryPage(partitionQuery('hub')))()).rejects.toThrow('is not authorized');
  });

  it('has the number of its position', async () => {
    const migration = { ...splitNames(), number: 3 };

    await expect(runMigrations([migration], ALWAYS)).rejects.toThrow('has the number 3. It must be 1.');
  });
});
