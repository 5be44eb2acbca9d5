/** Keys of lists: index partitions of a whole bot, which are sharded, and of a workspace, which are small. */
import { encodeTime, shardOf } from '#shared/ids.ts';

/** A unique sort key in order of time. */
export const timedSk = (ms: number, id: string) => `${encodeTime(ms)}#${id}`;

/**
 * Lists of a whole bot are sharded by a hash of the id, because an index partition takes 1,000 write units a second. A bot
 * that creates 5,000 conversations a second, each an item of up to 1 KB, writes 5,000 / 16 = 313 a second to each partition
 * of gsi1 and of gsi2; the first activity moves each in gsi2 once, a removal and an insertion: 3 × 313 = 939.
 * `test/shared/dynamodb/shards.test.ts` measures how evenly the ids spread.
 */
export const LIST_SHARDS = 16;

export type BotList =
  | 'conversations'
  | 'users'
  | 'workflows'
  | 'events'
  | 'tagValues'
  | `files@${string}`
  | `fileOrders@${string}`;

export const botListPk = (botId: string, list: BotList, shard: number) => `${botId}#${list}#${shard}`;

/** The partition of a list that holds the item with this id. */
export const botListPkOf = (botId: string, list: BotList, id: string) =>
  botListPk(botId, list, shardOf(id, LIST_SHARDS));

/** The index attributes of an item that is listed by creation (gsi1) and by update (gsi2). */
export const botListing = (
  botId: string,
  list: 'conversations' | 'users',
  { id, createdAtMs, updatedAtMs }: { id: string; createdAtMs: number; updatedAtMs: number },
) => ({
  gsiPk: botListPkOf(botId, list, id),
  gsi1Sk: timedSk(createdAtMs, id),
  gsi2Sk: timedSk(updatedAtMs, id),
});

export type WorkspaceList = 'bots' | 'endingBots' | 'integrations';

export const workspaceListPk = (workspaceId: string, list: WorkspaceList) => `${workspaceId}#${list}`;

/** The index attributes of an item in a workspace's list. */
export const workspaceListing = (
  workspaceId: string,
  list: WorkspaceList,
  { id, createdAtMs, updatedAtMs }: { id: string; createdAtMs: number; updatedAtMs: number },
) => ({
  gsiPk: workspaceListPk(workspaceId, list),
  gsi1Sk: `${encodeTime(createdAtMs)}#${id}`,
  gsi2Sk: `${encodeTime(updatedAtMs)}#${id}`,
});
