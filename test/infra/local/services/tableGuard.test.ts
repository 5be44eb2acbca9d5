/** Tests that the local platform denies DynamoDB calls that a function's role denies on AWS. */
import { randomUUID } from 'node:crypto';
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, describe, expect, it } from 'vitest';
import { reactToTable } from '#functions/events/index.ts';
import { type Access, accessOf, accessOfConsumer } from '#infra/bundle/functionAccess.ts';
import { chatApi, platformApi } from '#infra/gateway/apis.ts';
import { inRole, rejections } from '#infra/local/services/tableGuard.ts';
import { clock } from '#shared/core/clock.ts';
import { environment } from '#shared/core/environment.ts';
import { newConversationId, newUserId, newWorkspaceId } from '#shared/core/ids.ts';
import { sendBatches } from '#shared/storage/dynamodb/engine/batch.ts';
import { documents } from '#shared/storage/dynamodb/engine/client.ts';
import { partitionQuery, queryPage, readItem, readItems } from '#shared/storage/dynamodb/engine/query.ts';
import { listStages } from '#shared/storage/dynamodb/engine/stageCleanup.ts';
import { stageObject } from '#shared/storage/dynamodb/engine/stagedObjects.ts';
import { tryWrite, unconditional, write } from '#shared/storage/dynamodb/engine/transaction.ts';
import { conversationKey, userKey } from '#shared/storage/dynamodb/keys/chat.ts';
import { workspaceListPk } from '#shared/storage/dynamodb/keys/lists.ts';
import {
  accountKey,
  auditKey,
  botKey,
  botPk,
  gaugeKey,
  tokenKey,
  tokenPrefix,
} from '#shared/storage/dynamodb/keys/workspace.ts';
import { indexKeys } from '#shared/storage/dynamodb/lists/lists.ts';
import { newAssetKey } from '#shared/storage/s3/prefixes.ts';
import { useSharedPlatform } from '#test/support/platform.ts';

useSharedPlatform();
afterAll(() => void rejections.splice(0));

const operation = (group: string, name: string): Access =>
  accessOf(
    [...chatApi.operations, ...platformApi.operations].find(each => each.group === group && each.name === name)!,
  );
const ROLES = {
  createMessage: operation('chat', 'createMessage'),
  getUser: operation('chat', 'getUser'),
  getTable: operation('tables', 'getTable'),
  upsertFile: operation('files', 'upsertFile'),
  createBot: operation('admin', 'createBot'),
  reactToTable: accessOfConsumer(reactToTable),
};

const as = <T>(role: keyof typeof ROLES, run: () => Promise<T>) => inRole(role, ROLES[role], run)();
const REFUSED = { name: 'AccessDeniedException' };

const botId = randomUUID();
const workspaceId = newWorkspaceId();
const user = () => userKey(botId, newUserId());
const account = () => accountKey(randomUUID());
const put = (Item: { pk: string; sk: string }) => ({ put: { Item }, onRefused: unconditional });

describe('a function of chat', () => {
  it('reads and writes users and conversations', async () => {
    const [one, other] = [user(), conversationKey(botId, newConversationId())];

    await as('createMessage', () => write([put(one), put(other)]));

    expect(await as('getUser', () => readItems([one, other]))).toMatchObject([one, other]);
  });

  it.each<[string, () => Promise<unknown>]>([
    ['GetItem', () => readItem(account())],
    ['BatchGetItem, if a single key is out of reach', () => readItems([user(), account()])],
    ['Query', () => queryPage(partitionQuery(botPk(botId)))],
    ['Query of an index', () => indexKeys('gsi1', workspaceListPk(workspaceId, 'bots'), RANGE).next()],
    ['PutItem', () => write([put(account())])],
    ['UpdateItem', () => tryWrite({ update: { Key: account(), UpdateExpression: 'SET a = :a' } })],
    ['DeleteItem', () => tryWrite({ remove: { Key: account() } })],
    ['BatchWriteItem', () => sendBatches([{ PutRequest: { Item: account() } }])],
    ['a transaction with one part out of reach', () => write([put(user()), put(account())])],
    [
      'a condition on what is out of reach',
      () =>
        write([
          put(user()),
          { check: { Key: botKey(botId), ConditionExpression: 'attribute_exists(pk)' }, onRefused: unconditional },
        ]),
    ],
  ])('is rejected %s beyond its partitions', async (_, run) => {
    await expect(as('createMessage', run)).rejects.toMatchObject(REFUSED);
  });

  it('is rejected beyond its partitions while its response streams', async () => {
    async function* entries() {
      await readItem(account());
      yield 'secret';
    }
    const answer = await as('createMessage', async () => ({ stream: entries() }));

    // The gateway reads the stream after the function has returned.
    await expect(answer.stream[Symbol.asyncIterator]().next()).rejects.toMatchObject(REFUSED);
  });
});

const RANGE = { direction: 'asc', first: '', last: '~' } as const;

it('rejects writes of a function that only reads', async () => {
  await expect(as('getUser', () => write([put(user())]))).rejects.toMatchObject(REFUSED);
});

it('lets a function that stores files change counters, but no workspace member', async () => {
  const level = gaugeKey(workspaceId, 'storage_count');

  await as('upsertFile', () => write([put(level)]));

  expect(await readItem(level)).toMatchObject(level);
  const member = { pk: `${workspaceId}#workspace`, sk: 'member#m' };
  await expect(as('upsertFile', () => write([put(member)]))).rejects.toMatchObject(REFUSED);
});

it('lets a function that writes objects stage them, and remove the stages in its other deletions', async () => {
  const object = newAssetKey(botId);
  const entry = conversationKey(botId, newConversationId());

  await as('createMessage', () => stageObject(object));
  await as('createMessage', () =>
    write([
      { put: { Item: { ...user(), o: object } }, onRefused: unconditional },
      { remove: { Key: entry }, onRefused: unconditional },
    ]),
  );

  await expect(as('getUser', () => stageObject(object))).rejects.toMatchObject(REFUSED);
  await expect(as('createMessage', () => listStages(clock.now()).next())).rejects.toMatchObject(REFUSED);
});

it('lets a function append audit records, but not read or delete them', async () => {
  const record = auditKey(workspaceId, '1');

  await as('createBot', () => write([put(record)]));

  await expect(as('createBot', () => readItem(record))).rejects.toMatchObject(REFUSED);
  await expect(as('createBot', () => tryWrite({ remove: { Key: record } }))).rejects.toMatchObject(REFUSED);
  expect(await readItem(record)).toMatchObject(record);
});

it('lets a function that only reads update the last use of a token, and no other attribute', async () => {
  const Key = tokenKey(botPk(botId), tokenPrefix, 'a'.repeat(16));
  const set = (attribute: string) =>
    as('getTable', () =>
      documents.send(
        new UpdateCommand({
          TableName: environment.tableName,
          Key,
          UpdateExpression: `SET ${attribute} = :value`,
          ConditionExpression: 'attribute_not_exists(id)',
          ExpressionAttributeValues: { ':value': 1 },
        }),
      ),
    );

  await set('lastUsedAtMs');

  await expect(set('scopes')).rejects.toMatchObject(REFUSED);
  expect(await readItem(Key)).toEqual({ ...Key, lastUsedAtMs: 1 });
});

it('restricts a consumer to its role', async () => {
  await expect(as('reactToTable', () => readItem(account()))).rejects.toMatchObject(REFUSED);
});

it('rejects every scan', async () => {
  const { ScanCommand } = await import('@aws-sdk/lib-dynamodb');
  const scan = () => documents.send(new ScanCommand({ TableName: environment.tableName }));

  await expect(as('createBot', scan)).rejects.toThrow('createBot is not authorized to perform dynamodb:Scan');
});
