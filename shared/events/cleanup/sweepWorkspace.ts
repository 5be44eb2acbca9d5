import { clock } from '#shared/core/clock.ts';
import { ApiError } from '#shared/core/errors.ts';
import { endBot } from '#shared/domain/admin/bots/endBot.ts';
import { listBots } from '#shared/storage/dynamodb/bots/bots.ts';
import { clearAudit, clearUsage, removeWorkspace } from '#shared/storage/dynamodb/cleanup/workspace.ts';
import { OutOfTime, type Progress } from '#shared/storage/dynamodb/engine/partitionCleanup.ts';
import { WriteConflict, write } from '#shared/storage/dynamodb/engine/transaction.ts';
import { listIntegrations, removeIntegration } from '#shared/storage/dynamodb/integrations/integrations.ts';
import { listPackages, removePackage } from '#shared/storage/dynamodb/integrations/packages.ts';
import { endMembership, markEnding } from '#shared/storage/dynamodb/workspace/accounts.ts';
import { findWorkspace, listMembers } from '#shared/storage/dynamodb/workspace/workspaces.ts';
import { sweepTenant } from './sweepTenant.ts';

const PAGE = 25;
const OLDEST_FIRST = { field: 'createdAt', direction: 'asc' } as const;

/** Deletes a deleted workspace, its own item last. Returns false if another pass is needed. @throws OutOfTime */
export async function sweepWorkspace(workspaceId: string, isLast: boolean, progress: Progress): Promise<boolean> {
  // Cached memberships expire before the last pass.
  await forMembers(workspaceId, progress, accountId => write([markEnding(accountId, workspaceId)]));
  const hadBots = await endBots(workspaceId, progress);
  for (const integration of await listIntegrations(workspaceId)) {
    // Installations in other workspaces then find it deleted.
    await write(removeIntegration(integration, true));
    progress.removed++;
  }
  let arePackagesLeft = false;
  for (const kind of ['interface', 'plugin'] as const) {
    for (const each of await listPackages(workspaceId, kind)) {
      if (await ignoringConflicts(() => write(removePackage(each)))) progress.removed++;
      else arePackagesLeft = true;
    }
  }
  const ending = await listBots(workspaceId, OLDEST_FIRST, { after: undefined, limit: 1, list: 'endingBots' });
  if (hadBots || arePackagesLeft || ending.bots.length > 0) return false;

  await sweepTenant(workspaceId, progress);
  await clearUsage(workspaceId, progress);
  if (!isLast) return true;
  const workspace = await findWorkspace(workspaceId);
  await clearAudit(workspaceId, progress);
  await forMembers(workspaceId, progress, accountId => write([endMembership(accountId, workspaceId)]));
  await removeWorkspace(workspaceId, workspace?.handle, progress);
  return true;
}

/** Returns true if the workspace had bots. Another pass is then needed for conflicts and for the index's lag. */
async function endBots(workspaceId: string, { isTimeLeft }: Progress): Promise<boolean> {
  for (let hadBots = false; ; hadBots = true) {
    if (!isTimeLeft()) throw new OutOfTime();
    const { bots } = await listBots(workspaceId, OLDEST_FIRST, { after: undefined, limit: PAGE });
    if (bots.length === 0) return hadBots;
    for (const { bot } of bots) await ignoringConflicts(async () => write(await endBot(bot, clock.now())));
    // The index is eventually consistent and may still list bots that have just ended.
    if (bots.length < PAGE) return true;
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

/** Returns false on a conflict with a concurrent change, which is left to the next pass. */
async function ignoringConflicts(run: () => Promise<void>): Promise<boolean> {
  try {
    await run();
    return true;
  } catch (error) {
    if (!(error instanceof WriteConflict) && !(error instanceof ApiError)) throw error;
    return false;
  }
}
