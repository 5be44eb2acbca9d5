/** Removes what deleted bots, integrations and workspaces leave behind. */
import { endpointPk, heldPk, waitingPk } from '#shared/dynamodb/keys/deliveries.ts';
import { ONCE_SHARDS, oncePk } from '#shared/dynamodb/keys/idempotency.ts';
import { parkedPk } from '#shared/dynamodb/keys/parked.ts';
import { packageCountKey, packagePk } from '#shared/dynamodb/keys/registry.ts';
import {
  analyticsPk,
  auditPk,
  botPk,
  botSk,
  handleKey,
  integrationPk,
  levelsPk,
  recurringPk,
  usagePk,
  workspaceKey,
  workspacePk,
  workspaceSk,
} from '#shared/dynamodb/keys/workspace.ts';
import { clearPartition, type Progress, removeAll } from '#shared/dynamodb/partitionCleanup.ts';
import { releaseNames, removeWorkspaceFromHub } from './hub.ts';
import { logPartitions } from './logs.ts';

/** Stored answers, logs and what is parked of a bot, integration or workspace. @throws OutOfTime */
export async function clearTenantItems(tenant: string, progress: Progress): Promise<void> {
  for (let shard = 0; shard < ONCE_SHARDS; shard++) await clearPartition(oncePk(tenant, shard), progress);
  await clearPartition(parkedPk(tenant), progress);
  for (const pk of logPartitions(tenant, Date.now())) await clearPartition(pk, progress);
}

/**
 * A bot's analytics, held conversations, recurring timers, definition and tokens; its own item stays and shows that it is being
 * deleted.
 * @throws OutOfTime
 */
export async function clearBotItems(botId: string, progress: Progress): Promise<void> {
  await clearPartition(analyticsPk(botId), progress);
  await clearPartition(heldPk(botId), progress);
  await clearPartition(endpointPk(botId), progress);
  await clearPartition(recurringPk(botId), progress);
  await clearPartition(botPk(botId), progress, sk => sk === botSk);
}

/** An integration's definition and tokens, and what it noted of who waits for it. @throws OutOfTime */
export async function clearIntegrationItems(integrationId: string, progress: Progress): Promise<void> {
  await clearPartition(integrationPk(integrationId), progress);
  await clearPartition(waitingPk(integrationId), progress);
}

/** A package's definition. @throws OutOfTime */
export const clearPackageItems = (packageId: string, progress: Progress): Promise<void> =>
  clearPartition(packagePk(packageId), progress);

/** @throws OutOfTime */
export const clearUsage = (workspaceId: string, progress: Progress): Promise<void> =>
  clearPartition(usagePk(workspaceId), progress);

/** @throws OutOfTime */
export const clearAudit = (workspaceId: string, progress: Progress): Promise<void> =>
  clearPartition(auditPk(workspaceId), progress);

/** Removes a workspace's members, levels, preferences and published names, and last its own item. @throws OutOfTime */
export async function removeWorkspace(
  workspaceId: string,
  handle: string | undefined,
  progress: Progress,
): Promise<void> {
  await clearPartition(levelsPk(workspaceId), progress);
  await removeAll([packageCountKey(workspaceId, 'interface'), packageCountKey(workspaceId, 'plugin')]);
  await releaseNames(workspaceId, progress);
  await removeWorkspaceFromHub(workspaceId);
  await clearPartition(workspacePk(workspaceId), progress, sk => sk === workspaceSk);
  await removeAll([...(handle === undefined ? [] : [handleKey(handle)]), workspaceKey(workspaceId)]);
}
