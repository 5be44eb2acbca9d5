/** Deletes whole partitions of any size, in steps that fit into one invocation. */

import { sendBatches } from './batch.ts';
import { type BotList, botListPks } from './keys/lists.ts';
import type { Key } from './keys/table.ts';
import { tagListPks } from './keys/tags.ts';
import { botList, END } from './lists.ts';
import { inPartition, queryPage } from './query.ts';

/** Progress of a sweep: the deadline, and the number of items and objects removed so far. */
export interface Progress {
  isTimeLeft: () => boolean;
  removed: number;
}

/** The invocation's time is up; the sweep continues in the next one. */
export class OutOfTime extends Error {
  override readonly name = 'OutOfTime';
}

/** Deletes items by key, unconditionally. */
export async function removeAll(keys: Key[]): Promise<void> {
  await sendBatches(keys.map(Key => ({ DeleteRequest: { Key } })));
}

/**
 * Deletes all items of a partition except those to keep.
 * @throws OutOfTime
 */
export async function clearPartition(pk: string, progress: Progress, isKept: (sk: string) => boolean = () => false) {
  let after: Record<string, unknown> | undefined;
  do {
    if (!progress.isTimeLeft()) throw new OutOfTime();
    const page = await queryPage({
      ...inPartition(pk),
      ProjectionExpression: 'pk, sk',
      Limit: 500,
      ExclusiveStartKey: after,
    });
    const keys = page.items.map(({ pk, sk }) => ({ pk, sk })).filter(({ sk }) => !isKept(sk));
    await removeAll(keys);
    progress.removed += keys.length;
    after = page.next;
  } while (after);
}

/** Deletes all tag entries and tag values of a bot. @throws OutOfTime */
export async function clearTags(botId: string, progress: Progress): Promise<void> {
  for await (const { item } of botList(botId, 'tagValues', 'gsi1', { direction: 'asc', first: '', last: END })) {
    const list = { botId, hash: item.hash, isOfMessages: String(item.gsi1Sk).startsWith('message#') };
    for (const pk of tagListPks(list)) await clearPartition(pk, progress);
    await clearPartition(item.pk, progress);
  }
}

/** Deletes the partition of every record in one of a bot's lists. @throws OutOfTime */
export async function clearListed(botId: string, list: BotList, progress: Progress): Promise<void> {
  for (const listPk of botListPks(botId, list)) {
    let after: Record<string, unknown> | undefined;
    do {
      const page = await queryPage({
        IndexName: 'gsi1',
        KeyConditionExpression: 'gsiPk = :gsiPk',
        ExpressionAttributeValues: { ':gsiPk': listPk },
        ProjectionExpression: 'pk',
        Limit: 200,
        ExclusiveStartKey: after,
      });
      for (const { pk } of page.items) await clearPartition(pk, progress);
      after = page.next;
    } while (after);
  }
}
