import { clearPartition, type Progress, removeAll } from '#shared/storage/dynamodb/engine/partitionCleanup.ts';
import { releaseNames, removeWorkspaceFromHub } from '#shared/storage/dynamodb/integrations/hub.ts';
import { packageCountKey } from '#shared/storage/dynamodb/keys/registry.ts';
import {
  botPk,
  botSk,
  handleKey,
  singleSignOnPk,
  workspaceKey,
  workspacePk,
  workspaceSk,
} from '#shared/storage/dynamodb/keys/workspace.ts';
import { clearSections } from './clearSections.ts';

export const clearTenantItems = (tenant: string, progress: Progress): Promise<void> =>
  clearSections('bot', tenant, ['answers', 'deadLetters'], progress);

export const clearLog = (tenant: string, progress: Progress): Promise<void> =>
  clearSections('bot', tenant, ['logs'], progress);

/** Keeps the bot's own item, which marks the deletion. @throws OutOfTime */
export async function clearBotItems(botId: string, progress: Progress): Promise<void> {
  await clearSections(
    'bot',
    botId,
    ['analytics', 'reports', 'pausedConversations', 'endpoints', 'widgets', 'versions', 'recurring'],
    progress,
  );
  await clearPartition(botPk(botId), progress, sk => sk === botSk);
}

export const clearIntegrationItems = (integrationId: string, progress: Progress): Promise<void> =>
  clearSections('integration', integrationId, ['integration', 'pendingDestinations'], progress);

export const clearPackageItems = (packageId: string, progress: Progress): Promise<void> =>
  clearSections('package', packageId, ['package'], progress);

export const clearUsage = (workspaceId: string, progress: Progress): Promise<void> =>
  clearSections('workspace', workspaceId, ['usage'], progress);

export const clearAudit = (workspaceId: string, progress: Progress): Promise<void> =>
  clearSections('workspace', workspaceId, ['audit'], progress);

/** Deletes the remains of a workspace, its own item last. @throws OutOfTime */
export async function removeWorkspace(
  workspaceId: string,
  handle: string | undefined,
  progress: Progress,
): Promise<void> {
  await clearSections('workspace', workspaceId, ['agents', 'gauges', 'transfers'], progress);
  await removeAll([packageCountKey(workspaceId, 'interface'), packageCountKey(workspaceId, 'plugin')]);
  await releaseNames(workspaceId, progress);
  await removeWorkspaceFromHub(workspaceId);
  await clearPartition(singleSignOnPk(workspaceId), progress);
  await clearPartition(workspacePk(workspaceId), progress, sk => sk === workspaceSk);
  await removeAll([...(handle === undefined ? [] : [handleKey(handle)]), workspaceKey(workspaceId)]);
}
