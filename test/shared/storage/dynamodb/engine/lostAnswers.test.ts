/**
 * Cuts the connection after a write took effect. The SDK sends the write again, which must count once. Covers every
 * kind of write through a proxy that drops responses.
 */
import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, inject, it } from 'vitest';
import { localCredentials } from '#infra/local/localPlatform.ts';
import { ensureTable } from '#infra/local/services/ensureTable.ts';
import { clock } from '#shared/core/clock.ts';
import { environment, VARIABLES } from '#shared/core/environment.ts';
import { readItem } from '#shared/storage/dynamodb/engine/query.ts';
import { tryWrite, type Write, write } from '#shared/storage/dynamodb/engine/transaction.ts';
import { changeItem } from '#shared/storage/dynamodb/engine/update.ts';
import { type LossyProxy, startLossyProxy } from '#test/support/lossyProxy.ts';
import { ownRegion } from '#test/support/ownRegion.ts';

let proxy: LossyProxy;
let wasLost: () => boolean;
beforeAll(async () => {
  proxy = await startLossyProxy(inject('dynamodbEndpoint'));
  Object.assign(process.env, localCredentials(ownRegion()), {
    AWS_ENDPOINT_URL_DYNAMODB: proxy.url,
    [VARIABLES.tableName]: `lost-${clock.now()}`,
  });
  await ensureTable(inject('dynamodbEndpoint'), environment.tableName);
});
afterAll(() => proxy.stop());
// Fails a test that ran without its fault.
afterEach(() => expect(wasLost()).toBe(true));

const lose = (...parameters: Parameters<LossyProxy['loseNext']>) => {
  wasLost = proxy.loseNext(...parameters);
};
const newKey = () => ({ pk: randomUUID(), sk: 'item' });
class Refused extends Error {}
const onRefused = () => new Refused();
const isNew = { ConditionExpression: 'attribute_not_exists(pk)' };
const put = (Item: { pk: string; sk: string; [name: string]: unknown }): Write => ({
  put: { Item, ...isNew },
  onRefused,
});
const exists = { ConditionExpression: 'attribute_exists(pk)' };

describe('a write whose response is lost', () => {
  it.each([
    ['text', 'a'],
    ['bytes', new Uint8Array([1, 2, 3])],
    ['a set', new Set(['a', 'b'])],
    ['a list with undefined inside', [{ a: undefined, b: 1 }]],
  ])('puts a new item with %s once', async (_, value) => {
    const key = newKey();
    lose('PutItem');

    await write([put({ ...key, value })]);

    expect(await readItem(key)).toMatchObject(key);
  });

  it('changes an item under a condition that the change itself invalidates', async () => {
    const key = newKey();
    await write([put({ ...key, version: 1 })]);
    lose('UpdateItem');

    await write([
      {
        update: {
          Key: key,
          UpdateExpression: 'SET version = version + :one REMOVE gone',
          ConditionExpression: 'version = :version',
          ExpressionAttributeValues: { ':one': 1, ':version': 1 },
        },
        onRefused,
      },
    ]);

    expect(await readItem(key)).toMatchObject({ version: 2 });
  });

  it.each([
    ['a sum', 'SET n = if_not_exists(n, :none) + :three', { ':none': 0, ':three': 3 }],
    ['a counter', 'ADD n :three', { ':three': 3 }],
  ])('adds to %s once', async (_, UpdateExpression, ExpressionAttributeValues) => {
    const key = newKey();
    lose('UpdateItem');

    await write([{ update: { Key: key, UpdateExpression, ExpressionAttributeValues }, onRefused }]);

    expect(await readItem(key)).toMatchObject({ n: 3 });
  });

  it('changes a version that the caller named', async () => {
    const key = newKey();
    await write([put({ ...key, version: 7 })]);
    lose('UpdateItem');

    const changed = await changeItem(
      key,
      { fields: { name: 'Ada' }, conditions: ['attribute_exists(pk)'], ifVersion: 7 },
      onRefused,
    );

    expect(changed).toMatchObject({ name: 'Ada', version: 8 });
    expect(await readItem(key)).toMatchObject({ name: 'Ada', version: 8 });
  });

  it('removes an item, and reports the removal', async () => {
    const key = newKey();
    await write([put(key)]);
    lose('DeleteItem');

    expect(await tryWrite({ remove: { Key: key, ...exists } })).toBe(true);
    expect(await readItem(key)).toBeUndefined();
  });

  it('writes a transaction once', async () => {
    const [one, two] = [newKey(), newKey()];
    lose('TransactWriteItems');

    await write([
      put(one),
      { update: { Key: two, UpdateExpression: 'ADD n :one', ExpressionAttributeValues: { ':one': 1 } }, onRefused },
    ]);

    expect(await readItem(two)).toMatchObject({ n: 1 });
  });

  it('waits for a transaction that is still in progress after the retries of the SDK', async () => {
    const [one, two] = [newKey(), newKey()];
    await write([put(one)]);
    lose('TransactWriteItems', { error: 'TransactionInProgressException', count: 6 });

    await write([
      { remove: { Key: one, ...exists }, onRefused },
      { update: { Key: two, UpdateExpression: 'ADD n :one', ExpressionAttributeValues: { ':one': 1 } }, onRefused },
    ]);

    expect(await readItem(one)).toBeUndefined();
    expect(await readItem(two)).toMatchObject({ n: 1 });
  });

  it('is rejected when another caller has already written the same item', async () => {
    const key = newKey();
    await write([put({ ...key, value: 'same' })]);
    lose('PutItem');

    await expect(write([put({ ...key, value: 'same' })])).rejects.toThrow(Refused);
  });

  it('is not rejected when the item was updated in between', async () => {
    const key = newKey();
    lose('PutItem');
    const added = write([put(key)]);
    const updated = tryWriteUntil(() =>
      tryWrite({
        update: { Key: key, UpdateExpression: 'SET x = :x', ...exists, ExpressionAttributeValues: { ':x': 1 } },
      }),
    );

    await Promise.all([added, updated]);

    expect(await readItem(key)).toMatchObject({ x: 1 });
  });
});

/** Repeats an attempt until it succeeds. */
async function tryWriteUntil(attempt: () => Promise<boolean>): Promise<void> {
  while (!(await attempt()));
}
