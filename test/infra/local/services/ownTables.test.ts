/** Tests that runs on a developer's own DynamoDB leave its tables alone. */
import { randomUUID } from 'node:crypto';
import { CreateTableCommand, DynamoDBClient, ListTablesCommand } from '@aws-sdk/client-dynamodb';
import { describe, expect, it, onTestFinished } from 'vitest';
import { localCredentials } from '#infra/local/localPlatform.ts';
import { startDynamodb } from '#infra/local/services/dynamodb.ts';
import { startOwnTables } from '#test/support/ownTables.ts';

const clientOf = (endpoint: string) => {
  const {
    AWS_REGION: region,
    AWS_ACCESS_KEY_ID: accessKeyId,
    AWS_SECRET_ACCESS_KEY: secretAccessKey,
  } = localCredentials();
  return new DynamoDBClient({ endpoint, region, credentials: { accessKeyId, secretAccessKey } });
};

const create = (client: DynamoDBClient, TableName: string) =>
  client.send(
    new CreateTableCommand({
      TableName,
      BillingMode: 'PAY_PER_REQUEST',
      AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
      KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
    }),
  );

describe('tests on a DynamoDB server that runs', () => {
  it('delete the tables that they created, and no others', async () => {
    const server = await startDynamodb({ isGuarded: false });
    onTestFinished(server.stop);
    const [theirs, ours] = [`theirs-${randomUUID()}`, `ours-${randomUUID()}`];
    const direct = clientOf(server.endpoint);
    await create(direct, theirs);
    const proxy = await startOwnTables(server.endpoint);

    await create(clientOf(proxy.endpoint), ours);
    const during = (await direct.send(new ListTablesCommand({}))).TableNames;
    await proxy.stop();

    expect(during).toEqual(expect.arrayContaining([theirs, ours]));
    expect((await direct.send(new ListTablesCommand({}))).TableNames).toEqual([theirs]);
  });

  it('name the variable when no server responds', async () => {
    await expect(startOwnTables('http://127.0.0.1:1')).rejects.toThrow(
      'No server responds at DYNAMODB=http://127.0.0.1:1',
    );
  });
});
