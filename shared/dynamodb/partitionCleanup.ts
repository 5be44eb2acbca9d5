/** Emptying partitions, however full they are, in pieces that fit an invocation. */

import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import { type BotList, botListPk, LIST_SHARDS } from '#shared/dynamodb/keys/lists.ts';
import type { Key } from '#shared/dynamodb/keys/table.ts';
import { TAG_SHARDS, tagListPk } from '#shared/dynamodb/keys/tags.ts';
import { environment } from '#shared/environment.ts';
import { sendBatches } from './batch.ts';
import { documents } from './client.ts';
import { botList, END } from './lists.ts';

/** How far a sweep got. */
export interface Progress {
  isTimeLeft: () => boolean;
  removed: number;
}

/** The time is up; what is left is the next invocation's. */
export class OutOfTime extends Error {
  override readonly name = 'OutOfTime';
}

/** Deletes items, whatever they are. */
export async function removeAll(keys: Key[]): Promise<void> {
  await sendBatches(keys.map(Key => ({ DeleteRequest: { Key } })));
}

/**
 * Deletes everything in a partition, but for what is to be kept.
 * @throws OutOfTime
 */
export async function clearPartition(pk: string, progress: Progress, isKept: (sk: string) => boolean = () => false) {
  let after: Record<string, unknown> | undefined;
  do {
    if (!progress.isTimeLeft()) throw new OutOfTime();
    const { Items = [], LastEvaluatedKey } = await documents.send(
      new QueryCommand({
        TableName: environment.tableName,
        KeyConditionExpression: 'pk = :pk',
        ExpressionAttributeValues: { ':pk': pk },
        ProjectionExpression: 'pk, sk',
        Limit: 500,
        ExclusiveStartKey: after,
      }),
    );
    const keys = Items.map(({ pk, sk }) => ({ pk, sk })).filter(({ sk }) => !isKept(sk));
    await removeAll(keys);
    progress.removed += keys.length;
    after = LastEvaluatedKey;
  } while (after);
}

/** Clears all that is known of a bot's tags. @throws OutOfTime */
export async function clearTags(botId: string, progress: Progress): Promise<void> {
  for await (const { item } of botList(botId, 'tagValues', 'gsi1', { direction: 'asc', first: '', last: END })) {
    for (let shard = 0; shard < TAG_SHARDS; shard++) await clearPartition(tagListPk(botId, item.hash, shard), progress);
    await clearPartition(item.pk, progress);
  }
}

/** Clears the partition of every record in a list of a bot. @throws OutOfTime */
export async function clearListed(botId: string, list: BotList, progress: Progress): Promise<void> {
  for (let shard = 0; shard < LIST_SHARDS; shard++) {
    let after: Record<string, unknown> | undefined;
    do {
      const { Items = [], LastEvaluatedKey } = await documents.send(
        new QueryCommand({
          TableName: environment.tableName,
          IndexName: 'gsi1',
          KeyConditionExpression: 'gsiPk = :gsiPk',
          ExpressionAttributeValues: { ':gsiPk': botListPk(botId, list, shard) },
          ProjectionExpression: 'pk',
          Limit: 200,
          ExclusiveStartKey: after,
        }),
      );
      for (const { pk } of Items) await clearPartition(pk, progress);
      after = LastEvaluatedKey;
    } while (after);
  }
}
