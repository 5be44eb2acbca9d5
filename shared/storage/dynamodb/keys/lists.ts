/** Keys of lists. A bot's lists are sharded on demand (`listShards.ts`). A workspace's lists are small. */

import { encodeTime } from '#shared/core/ids.ts';
import { shardFor, shardsIn } from '#shared/storage/dynamodb/partitioning/listShards.ts';

export const timedSk = (ms: number, id: string) => `${encodeTime(ms)}#${id}`;

export type BotList = 'conversations' | 'users' | 'workflows' | 'events' | 'outgoing' | 'tagValues' | `files@${string}`;

const botListPk = (botId: string, list: BotList, shard: number) => `${botId}#${list}#${shard}`;

export const botListPkOf = (botId: string, list: BotList, id: string) => botListPk(botId, list, shardFor(botId, id));

export const botListPks = (botId: string, list: BotList) => shardsIn(botId).map(shard => botListPk(botId, list, shard));

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

export const workspaceListing = (
  workspaceId: string,
  list: WorkspaceList,
  { id, createdAtMs, updatedAtMs }: { id: string; createdAtMs: number; updatedAtMs: number },
) => ({
  gsiPk: workspaceListPk(workspaceId, list),
  gsi1Sk: `${encodeTime(createdAtMs)}#${id}`,
  gsi2Sk: `${encodeTime(updatedAtMs)}#${id}`,
});
