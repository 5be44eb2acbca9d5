/** Removes what deleted bots, integrations and workspaces leave behind. */

import { releaseNames, removeWorkspaceFromHub } from '#shared/storage/dynamodb/integrations/hub.ts';
import { packageCountKey } from '#shared/storage/dynamodb/keys/registry.ts';
import {
  botPk,
  botSk,
  handleKey,
  workspaceKey,
  workspacePk,
  workspaceSk,
} from '#shared/storage/dynamodb/keys/workspace.ts';
import { clearPartition, clearSections, type Progress, removeAll } from '#shared/storage/dynamodb/partitionCleanup.ts';

/** Stored answers and what is parked of a bot, integration or workspace. @throws OutOfTime */
export const clearTenantItems = (tenant: string, progress: Progress): Promise<void> =>
  clearSections('bot', tenant, ['answers', 'parked'], progress);

/** The log of a bot or integration; workspaces have none. @throws OutOfTime */
export const clearLog = (tenant: string, progress: Progress): Promise<void> =>
  clearSections('bot', tenant, ['logs'], progress);

/**
 * A bot's analytics, held conversations, recurring timers, definition and tokens; its own item stays and shows that it
 * is being deleted.
 * @throws OutOfTime
 */
export async function clearBotItems(botId: string, progress: Progress): Promise<void> {
  await clearSections('bot', botId, ['analytics', 'held', 'endpoints', 'recurring'], progress);
  await clearPartition(botPk(botId), progress, sk => sk === botSk);
}

/** An integration's definition and tokens, and what it noted of who waits for it. @throws OutOfTime */
export const clearIntegrationItems = (integrationId: string, progress: Progress): Promise<void> =>
  clearSections('integration', integrationId, ['integration', 'waitingLanes'], progress);

/** A package's definition. @throws OutOfTime */
export const clearPackageItems = (packageId: string, progress: Progress): Promise<void> =>
  clearSections('package', packageId, ['package'], progress);

/** @throws OutOfTime */
export const clearUsage = (workspaceId: string, progress: Progress): Promise<void> =>
  clearSections('workspace', workspaceId, ['usage'], progress);

/** @throws OutOfTime */
export const clearAudit = (workspaceId: string, progress: Progress): Promise<void> =>
  clearSections('workspace', workspaceId, ['audit'], progress);

/**
 * Removes a workspace's members, levels, transfers, preferences and published names, and last its own item.
 * @throws OutOfTime
 */
export async function removeWorkspace(
  workspaceId: string,
  handle: string | undefined,
  progress: Progress,
): Promise<void> {
  await clearSections('workspace', workspaceId, ['levels', 'transfers'], progress);
  await removeAll([packageCountKey(workspaceId, 'interface'), packageCountKey(workspaceId, 'plugin')]);
  await releaseNames(workspaceId, progress);
  await removeWorkspaceFromHub(workspaceId);
  await clearPartition(workspacePk(workspaceId), progress, sk => sk === workspaceSk);
  await removeAll([...(handle === undefined ? [] : [handleKey(handle)]), workspaceKey(workspaceId)]);
}
