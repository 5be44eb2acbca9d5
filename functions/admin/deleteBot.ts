import * as z from 'zod/mini';
import { auditActor } from '#shared/admin/accounts.ts';
import { requireBot } from '#shared/admin/bots.ts';
import { endBot } from '#shared/admin/endBot.ts';
import { requireOwn } from '#shared/api/auth/limits.ts';
import { ok } from '#shared/api/operation.ts';
import { adminOperation } from '#shared/api/platform/operation.ts';
import { putAudit } from '#shared/dynamodb/workspace/audit.ts';

export const deleteBot = adminOperation({
  name: 'deleteBot',
  summary:
    'Deletes a bot with all its data. Its keys and webhooks end at once; the data is gone when `getBot` finds none.',
  method: 'DELETE',
  path: '/admin/bots/{id}',
  scope: 'account',
  table: 'writes',
  output: z.object({}),
  statuses: [200],

  // The rest is a reaction: see `sweepDeleted`.
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
