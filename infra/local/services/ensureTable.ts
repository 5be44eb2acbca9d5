import {
  CreateTableCommand,
  DescribeTableCommand,
  DynamoDBClient,
  ResourceInUseException,
  UpdateTimeToLiveCommand,
} from '@aws-sdk/client-dynamodb';
import { TABLE_SHAPE } from '#shared/storage/dynamodb/keys/table.ts';

export async function ensureTable(endpoint: string, TableName: string): Promise<string> {
  const client = new DynamoDBClient({ endpoint });
  const { partitionKey, sortKey, timeToLive, indexes } = TABLE_SHAPE;
  const schema = (hash: string, range: string) => [
    { AttributeName: hash, KeyType: 'HASH' as const },
    { AttributeName: range, KeyType: 'RANGE' as const },
  ];
  const keyNames = [
    partitionKey,
    sortKey,
    ...Object.values(indexes).flatMap(index => [index.partitionKey, index.sortKey]),
  ];
  try {
    await client.send(
      new CreateTableCommand({
        TableName,
        BillingMode: 'PAY_PER_REQUEST',
        AttributeDefinitions: [...new Set(keyNames)].map(AttributeName => ({ AttributeName, AttributeType: 'S' })),
        KeySchema: schema(partitionKey, sortKey),
        GlobalSecondaryIndexes: Object.entries(indexes).map(([IndexName, index]) => ({
          IndexName,
          KeySchema: schema(index.partitionKey, index.sortKey),
          Projection: { ProjectionType: 'KEYS_ONLY' },
        })),
        StreamSpecification: { StreamEnabled: true, StreamViewType: 'NEW_AND_OLD_IMAGES' },
      }),
    );
    await client.send(
      new UpdateTimeToLiveCommand({
        TableName,
        TimeToLiveSpecification: { AttributeName: timeToLive, Enabled: true },
      }),
    );
  } catch (error) {
    if (!(error instanceof ResourceInUseException)) throw error;
  }
  const { Table } = await client.send(new DescribeTableCommand({ TableName }));
  client.destroy();
  return Table!.LatestStreamArn!;
}
