/** Removes all data of a bot that was deleted: every partition, every object. */
import { sweepFiles } from '../files/sweepFiles.ts';
import { assetPrefix } from '../storage/assets.ts';
import { bigValuePrefix } from '../storage/bigValue.ts';
import { filePrefix } from '../storage/files.ts';
import { deleteObjects } from '../storage/objects.ts';
import { NOBODY, putAudit } from '../table/audit.ts';
import { findBot, removeEndedBot } from '../table/bots.ts';
import { clearListed, clearPartition, clearTags, OutOfTime, type Progress } from '../table/clear.ts';
import { analyticsPk, botPk, botSk, ONCE_SHARDS, oncePk, statesPk, workflowClaimPartitions } from '../table/keys.ts';
import { logPartitions } from '../table/logs.ts';
import { findWorkspace } from '../table/workspaces.ts';
import { write } from '../table/write.ts';
import { sweepTables } from '../tables/sweepTable.ts';

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
