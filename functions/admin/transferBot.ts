import * as z from 'zod/mini';
import { requireBot } from '#shared/admin/bots/requireBot.ts';
import { PERMISSIONS } from '#shared/api/auth/permissions.ts';
import { ok } from '#shared/api/operation.ts';
import { adminOperation } from '#shared/api/platform/operation.ts';
import { requireAccount } from '#shared/dynamodb/workspace/accounts.ts';
import { auditActor, putAudit } from '#shared/dynamodb/workspace/audit.ts';
import { changeBot } from '#shared/dynamodb/workspace/bots.ts';
import { moveTotals } from '#shared/dynamodb/workspace/botTotals.ts';
import { changeLevel } from '#shared/dynamodb/workspace/usage.ts';
import { workspaceMustLive } from '#shared/dynamodb/workspace/workspaces.ts';
import { ApiError, invalidPayload } from '#shared/errors.ts';

export const transferBot = adminOperation({
  name: 'transferBot',
  summary: 'Transfers a bot and all its data to another workspace in which the caller may create bots.',
  method: 'POST',
  path: '/admin/bots/{id}/transfer',
  scope: 'account',
  table: 'writes',
  body: z.object({ targetWorkspaceId: z.string() }),
  output: z.object({}),
  statuses: [200],

  handle: async ({ input: { id, targetWorkspaceId: target }, account, workspaceId, nowMs, commit }) => {
    const bot = await requireBot(workspaceId, id);
    if (target === workspaceId) throw invalidPayload('The bot is already in this workspace.', 'targetWorkspaceId');
    const targetRole = (await requireAccount(account.id)).memberships[target]?.role;
    if (!targetRole || !(targetRole in PERMISSIONS.admin.createBot)) {
      throw new ApiError('Forbidden', 'You may not create bots in the target workspace.');
    }
    const change = {
      action: 'TRANSFER_BOT' as const,
      resourceId: id,
      resourceName: bot.name,
      value: `${workspaceId} to ${target}`,
    };
    return commit(ok({}), [
      ...(await changeBot(bot, {
        ...bot,
        workspaceId: target,
        updatedAtMs: Math.max(nowMs, bot.updatedAtMs + 1),
      })),
      workspaceMustLive(target),
      ...changeLevel(workspaceId, 'bot_count', -1, { botId: id, nowMs }),
      ...changeLevel(target, 'bot_count', 1, { botId: id, nowMs }),
      ...(await moveTotals(id, target, nowMs)),
      putAudit(workspaceId, auditActor(account), change, nowMs),
      putAudit(target, auditActor(account), change, nowMs),
    ]);
  },
});
