import { encodeTime, shardOf } from '#shared/ids.ts';

/** A place in a list in order of time, of which there is only one. */
export const timedSk = (ms: number, id: string) => `${encodeTime(ms)}#${id}`;

export const activityOf = (sk: string) => sk.slice(0, sk.indexOf('#'));

/**
 * Lists of a whole bot are split by a hash of the id, because an index partition takes 1,000 write units a second. A bot
 * that creates 5,000 conversations a second, each an item of up to 1 KB, writes 5,000 / 16 = 313 of them a second to each
 * partition of `lists`, and as many to each of `updates`; the first activity moves each in `updates` once, which is a
 * removal and an insertion: 3 × 313 = 939. `test/shared/shards.test.ts` measures how evenly the ids spread.
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

/** The list's part in which an item with this id stands. */
export const botListPkOf = (botId: string, list: BotList, id: string) =>
  botListPk(botId, list, shardOf(id, LIST_SHARDS));

/** What an item of a list in order of creation and of update carries. */
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

/** What an item of a workspace's list carries. */
export const workspaceListing = (
  workspaceId: string,
  list: WorkspaceList,
  { id, createdAtMs, updatedAtMs }: { id: string; createdAtMs: number; updatedAtMs: number },
) => ({
  gsiPk: workspaceListPk(workspaceId, list),
  gsi1Sk: `${encodeTime(createdAtMs)}#${id}`,
  gsi2Sk: `${encodeTime(updatedAtMs)}#${id}`,
});
