/** Removes a workspace that was deleted, with everything in it: bots first, and itself last. */

import { endBot } from '#shared/admin/bots/endBot.ts';
import {
  auditPk,
  handleKey,
  usagePk,
  workspaceKey,
  workspacePk,
  workspaceSk,
} from '#shared/dynamodb/keys/workspace.ts';
import { clearPartition, OutOfTime, type Progress, removeAll } from '#shared/dynamodb/partitionCleanup.ts';
import { WriteConflict, write } from '#shared/dynamodb/transaction.ts';
import { endMembership, markEnding } from '#shared/dynamodb/workspace/accounts.ts';
import { listBots } from '#shared/dynamodb/workspace/bots.ts';
import { listIntegrations, removeIntegration } from '#shared/dynamodb/workspace/integrations.ts';
import { findWorkspace, listMembers } from '#shared/dynamodb/workspace/workspaces.ts';
import { clearTenant } from './sweepBot.ts';

const PAGE = 25;
const OLDEST_FIRST = { field: 'createdAt', direction: 'asc' } as const;

/**
 * @returns whether it is done; if not, bots of it are still being deleted
 * @throws OutOfTime
 */
export async function sweepWorkspace(workspaceId: string, isLast: boolean, progress: Progress): Promise<boolean> {
  // Whoever was remembered as a member has been forgotten when the last pass comes.
  await forMembers(workspaceId, progress, accountId => write([markEnding(accountId, workspaceId)]));
  await endBots(workspaceId, progress);
  for (const integration of await listIntegrations(workspaceId)) {
    // Other workspaces may have installed it: it goes all the same, and they see that it is gone.
    await write(removeIntegration(integration, true));
    progress.removed++;
  }
  const ending = await listBots(workspaceId, OLDEST_FIRST, { after: undefined, limit: 1, list: 'endingBots' });
  if (ending.bots.length > 0) return false;

  await clearTenant(workspaceId, progress);
  await clearPartition(usagePk(workspaceId), progress);
  if (!isLast) return true;
  const workspace = await findWorkspace(workspaceId);
  await clearPartition(auditPk(workspaceId), progress);
  await forMembers(workspaceId, progress, accountId => write([endMembership(accountId, workspaceId)]));
  await clearPartition(workspacePk(workspaceId), progress, sk => sk === workspaceSk);
  await removeAll([...(workspace?.handle ? [handleKey(workspace.handle)] : []), workspaceKey(workspaceId)]);
  return true;
}

async function endBots(workspaceId: string, { isTimeLeft }: Progress): Promise<void> {
  for (;;) {
    if (!isTimeLeft()) throw new OutOfTime();
    const { bots } = await listBots(workspaceId, OLDEST_FIRST, { after: undefined, limit: PAGE });
    if (bots.length === 0) return;
    for (const { bot } of bots) await ignoringConflicts(async () => write(await endBot(bot, Date.now())));
    // The index follows a moment later, and shows until then what has ended.
    if (bots.length < PAGE) return;
  }
}

async function forMembers(
  workspaceId: string,
  { isTimeLeft }: Progress,
  act: (accountId: string) => Promise<void>,
): Promise<void> {
  let after: string | undefined;
  do {
    if (!isTimeLeft()) throw new OutOfTime();
    const members = await listMembers(workspaceId, { after, limit: PAGE });
    for (const { accountId } of members) if (accountId) await ignoringConflicts(() => act(accountId));
    after = members.length === PAGE ? members.at(-1)!.id : undefined;
  } while (after);
}

/** What somebody changed or removed just now is seen to in the next pass. */
async function ignoringConflicts(run: () => Promise<void>): Promise<void> {
  try {
    await run();
  } catch (error) {
    if (!(error instanceof WriteConflict) && !(error instanceof Error && error.name === 'ApiError')) throw error;
  }
}
