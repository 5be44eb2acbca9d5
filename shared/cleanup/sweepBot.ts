/** Removes all data of a bot that was deleted: every partition, every object. */

import { statesPk, workflowClaimPartitions } from '#shared/dynamodb/keys/chat.ts';
import { ONCE_SHARDS, oncePk } from '#shared/dynamodb/keys/idempotency.ts';
import { analyticsPk, botPk, botSk } from '#shared/dynamodb/keys/workspace.ts';
import { clearListed, clearPartition, clearTags, OutOfTime, type Progress } from '#shared/dynamodb/partitionCleanup.ts';
import { write } from '#shared/dynamodb/transaction.ts';
import { NOBODY, putAudit } from '#shared/dynamodb/workspace/audit.ts';
import { findBot, removeEndedBot } from '#shared/dynamodb/workspace/bots.ts';
import { logPartitions } from '#shared/dynamodb/workspace/logs.ts';
import { findWorkspace } from '#shared/dynamodb/workspace/workspaces.ts';
import { assetPrefix } from '#shared/s3/assets.ts';
import { filePrefix } from '#shared/s3/files.ts';
import { bigValuePrefix } from '#shared/s3/largeValue.ts';
import { deleteObjects } from '#shared/s3/objects.ts';
import { sweepFiles } from './sweepFiles.ts';
import { sweepTables } from './sweepTable.ts';

/**
 * The bot's own item stays until the last pass, and shows that it is being deleted.
 * @param isLast nobody writes any more: with this pass it is done
 * @throws OutOfTime
 */
export async function sweepBot(botId: string, isLast: boolean, progress: Progress): Promise<void> {
  await clearListed(botId, 'conversations', progress);
  await clearListed(botId, 'users', progress);
  await clearListed(botId, 'workflows', progress);
  await clearListed(botId, 'events', progress);
  // Before the files: with these goes the word that nothing more is to be counted.
  await sweepTables(botId, isLast, progress);
  await sweepFiles(botId, isLast, progress);
  await clearTags(botId, progress);
  for (const pk of [statesPk(botId), ...workflowClaimPartitions(botId)]) await clearPartition(pk, progress);
  await clearTenant(botId, progress);
  await clearPartition(analyticsPk(botId), progress);
  await clearPartition(botPk(botId), progress, sk => sk === botSk);
  if (!isLast) return;

  const bot = await findBot(botId);
  if (bot?.deletedAtMs === undefined) return;
  const nowMs = Date.now();
  const isAudited = (await findWorkspace(bot.workspaceId)) !== undefined;
  const done = {
    action: 'DELETE_BOT',
    resourceId: botId,
    resourceName: bot.name,
    value: 'all its data is gone',
  } as const;
  await write([removeEndedBot(botId), ...(isAudited ? [putAudit(bot.workspaceId, NOBODY, done, nowMs)] : [])]);
}

/** What bots, integrations and workspaces have alike: kept answers, logs, objects. @throws OutOfTime */
export async function clearTenant(tenant: string, progress: Progress): Promise<void> {
  for (let shard = 0; shard < ONCE_SHARDS; shard++) await clearPartition(oncePk(tenant, shard), progress);
  for (const pk of logPartitions(tenant, Date.now())) await clearPartition(pk, progress);
  for (const prefix of [bigValuePrefix(tenant), assetPrefix(tenant), filePrefix(tenant)]) {
    let deleted: number;
    do {
      if (!progress.isTimeLeft()) throw new OutOfTime();
      deleted = await deleteObjects(prefix);
      progress.removed += deleted;
    } while (deleted > 0);
  }
}
