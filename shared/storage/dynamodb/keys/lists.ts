/**
 * Keys of lists: index partitions of a whole bot, spread as far as it needs (`listShards.ts`), and of a workspace,
 * which are small.
 */

import { encodeTime } from '#shared/core/ids.ts';
import { shardFor, shardsIn } from '#shared/storage/dynamodb/listShards.ts';

/** A unique sort key in order of time. */
export const timedSk = (ms: number, id: string) => `${encodeTime(ms)}#${id}`;

export type BotList = 'conversations' | 'users' | 'workflows' | 'events' | 'outgoing' | 'tagValues' | `files@${string}`;

const botListPk = (botId: string, list: BotList, shard: number) => `${botId}#${list}#${shard}`;

/** The partition of a list that a new entry goes to. @param id of its record */
export const botListPkOf = (botId: string, list: BotList, id: string) => botListPk(botId, list, shardFor(botId, id));

/** All partitions of a list. */
export const botListPks = (botId: string, list: BotList) => shardsIn(botId).map(shard => botListPk(botId, list, shard));

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

export type WorkspaceList = 'bots' | 'endingBots' | 'integrations' | 'interfaces' | 'plugins';

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
