/** Reads the lists of all tenants, for migrations. No other function may scan. */
import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { environment } from '#shared/core/environment.ts';
import { documents } from '#shared/storage/dynamodb/engine/client.ts';
import type { Item } from '#shared/storage/dynamodb/engine/query.ts';
import type { BotList } from '#shared/storage/dynamodb/keys/lists.ts';
import { splitPk } from '#shared/storage/dynamodb/keys/table.ts';

/** Half a read unit per 4 KB of keys, also of other lists, because a scan reads the whole index. */
const SCANNED_TOGETHER = 1_000;

/** Returns the ids of records in one of the lists, with their bots. `next` is undefined at the end of the index. */
export async function scanList(
  list: BotList,
  after: Item | undefined,
): Promise<{ records: { botId: string; id: string }[]; next?: Item }> {
  const { Items = [], LastEvaluatedKey } = await documents.send(
    new ScanCommand({
      TableName: environment.tableName,
      IndexName: 'gsi1',
      FilterExpression: 'contains(gsiPk, :list)',
      ExpressionAttributeValues: { ':list': `#${list}#` },
      ProjectionExpression: 'pk',
      Limit: SCANNED_TOGETHER,
      ExclusiveStartKey: after,
    }),
  );
  return {
    records: Items.map(({ pk }) => splitPk(String(pk))),
    ...(LastEvaluatedKey ? { next: LastEvaluatedKey } : {}),
  };
}
