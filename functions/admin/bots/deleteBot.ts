import * as z from 'zod/mini';
import { requireOwn } from '#shared/api/auth/callerLimits.ts';
import { ok } from '#shared/api/operation.ts';
import { adminOperation } from '#shared/api/operations/platform.ts';
import { endBot } from '#shared/domain/admin/bots/endBot.ts';
import { requireBot } from '#shared/domain/admin/bots/requireBot.ts';
import { auditActor, putAudit } from '#shared/storage/dynamodb/workspace/audit.ts';

export const deleteBot = adminOperation({
  name: 'deleteBot',
  summary:
    'Deletes a bot and all its data. Its keys and webhooks stop working immediately. The deletion is complete when `getBot` returns 404.',
  method: 'DELETE',
  path: '/admin/bots/{id}',
  scope: 'account',
  grants: 'nothing',
  isIrreversible: true,
  table: 'writes',
  partitions: { writes: ['webhooks', 'botTotals'], appends: ['gauges', 'usage'] },
  output: z.object({}),
  statuses: [200],

  // `sweepDeleted` deletes the data.
  handle: async call => {
    const { input, account, workspaceId, nowMs, commit } = call;
    const bot = await requireBot(workspaceId, input.id);
    requireOwn(call, bot.createdBy === account.id);
    return commit(ok({}), [
      ...(await endBot(bot, nowMs)),
      putAudit(
        workspaceId,
        auditActor(account),
        { action: 'DELETE_BOT', resourceId: bot.id, resourceName: bot.name },
        nowMs,
      ),
    ]);
  },
});
