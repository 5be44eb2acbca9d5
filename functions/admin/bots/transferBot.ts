import * as z from 'zod/mini';
import { ok } from '#shared/api/operation.ts';
import { adminOperation } from '#shared/api/operations/platform.ts';
import { PERMISSIONS } from '#shared/api/permissions.ts';
import { ApiError, invalidPayload } from '#shared/core/errors.ts';
import { own } from '#shared/core/own.ts';
import { requireBot } from '#shared/domain/admin/bots/requireBot.ts';
import { type Bot, changeBot } from '#shared/storage/dynamodb/bots/bots.ts';
import { moveTotals } from '#shared/storage/dynamodb/bots/botTotals.ts';
import { memberMustExist } from '#shared/storage/dynamodb/callers/callerChecks.ts';
import { recordDeployedCode } from '#shared/storage/dynamodb/code/deployedCode.ts';
import { newRevision } from '#shared/storage/dynamodb/code/deployments.ts';
import { withChecks } from '#shared/storage/dynamodb/engine/transaction.ts';
import { findIntegrations, isVisibleTo } from '#shared/storage/dynamodb/integrations/integrations.ts';
import { auditActor, putAudit } from '#shared/storage/dynamodb/workspace/audit.ts';
import { changeGauge } from '#shared/storage/dynamodb/workspace/usage.ts';
import { workspaceMustExist } from '#shared/storage/dynamodb/workspace/workspaces.ts';

export const transferBot = adminOperation({
  name: 'transferBot',
  summary:
    'Transfers a bot and all its data to another workspace in which the caller may create bots. Its API keys are revoked.',
  method: 'POST',
  path: '/admin/bots/{id}/transfer',
  scope: 'account',
  grants: 'membership',
  table: 'writes',
  partitions: { writes: ['botTotals'], appends: ['gauges', 'usage'] },
  body: z.object({ targetWorkspaceId: z.string() }),
  output: z.object({}),
  statuses: [200],

  handle: async ({ input: { id, targetWorkspaceId: target }, account, workspaceId, nowMs, commit }) => {
    const bot = await requireBot(workspaceId, id);
    if (target === workspaceId) throw invalidPayload('The bot is already in this workspace.', 'targetWorkspaceId');
    const targetRole = own(account.memberships, target)?.role;
    if (!targetRole || !(targetRole in PERMISSIONS.admin.createBot)) {
      throw new ApiError('Forbidden', 'You may not create bots in the target workspace.');
    }
    await requireInstallable(bot, target);
    const change = {
      action: 'TRANSFER_BOT' as const,
      resourceId: id,
      resourceName: bot.name,
      value: `${workspaceId} to ${target}`,
    };
    const moved = {
      ...bot,
      workspaceId: target,
      // Revokes the keys, whose holders belong to the source workspace.
      keyEpoch: (bot.keyEpoch ?? 0) + 1,
      ...(bot.codeKey === undefined ? {} : { rollout: { revision: newRevision(), deployedBy: [account.id] } }),
      updatedAtMs: Math.max(nowMs, bot.updatedAtMs + 1),
    };
    const writes = [
      changeBot(bot, moved),
      // Earlier deployers were recorded in the source workspace and do not apply to the target.
      ...recordDeployedCode(
        target,
        account,
        { kind: 'bot', id },
        { before: {}, after: moved.rollout === bot.rollout ? {} : moved },
      ),
      workspaceMustExist(target),
      ...changeGauge(workspaceId, 'bot_count', -1, { botId: id, nowMs }),
      ...changeGauge(target, 'bot_count', 1, { botId: id, nowMs }),
      ...(await moveTotals(id, target, nowMs)),
      putAudit(workspaceId, auditActor(account), change, nowMs),
      putAudit(target, auditActor(account), change, nowMs),
    ];
    return commit(ok({}), withChecks(writes, [memberMustExist(account, target)]));
  },
});

/** Rejects private integrations of the source workspace, which would keep access to the bot's data. */
async function requireInstallable(bot: Bot, target: string): Promise<void> {
  const integrations = await findIntegrations(bot.installations.map(({ integrationId }) => integrationId));
  const stranded = bot.installations.filter(({ integrationId }) => {
    const integration = integrations.get(integrationId);
    return integration && !isVisibleTo(integration, target);
  });
  if (stranded.length > 0) {
    throw new ApiError(
      'ReferenceConstraint',
      `Uninstall ${stranded.map(({ alias }) => alias).join(', ')} first: the target workspace may not use private integrations of this one.`,
    );
  }
}
