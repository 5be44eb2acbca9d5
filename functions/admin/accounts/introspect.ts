import * as z from 'zod/mini';
import { ok } from '#shared/api/operation.ts';
import { adminOperation } from '#shared/api/operations/platform.ts';
import { callerIdOf } from '#shared/api/platform/callerIdOf.ts';
import { ApiError } from '#shared/core/errors.ts';
import { requireBot } from '#shared/domain/admin/bots/requireBot.ts';
import { findBot } from '#shared/storage/dynamodb/bots/bots.ts';
import { isActive } from '#shared/storage/dynamodb/bots/installation.ts';

export const introspect = adminOperation({
  name: 'introspect',
  summary:
    "Identifies the caller to a bot: a member of the bot's workspace, the bot itself or an integration installed on it. The key of a bot or integration needs no `x-workspace-id`.",
  method: 'POST',
  path: '/admin/introspect',
  scope: 'workspace',
  grants: 'nothing',
  table: 'reads',
  body: z.object({ botId: z.string() }),
  output: z.object({ workspaceId: z.string(), botId: z.string(), userId: z.string() }),
  statuses: [200],

  handle: async ({ input: { botId }, principal, workspaceId }) => {
    const forbidden = () => new ApiError('Forbidden', 'The key does not belong to this bot.');
    if (principal.kind === 'bot' && principal.botId !== botId) throw forbidden();
    const bot = workspaceId === undefined ? await findBot(botId) : await requireBot(workspaceId, botId);
    // Returns the same error for missing and inaccessible bots.
    if (!bot || bot.deletedAtMs !== undefined) throw forbidden();
    if (principal.kind === 'integration') {
      const isInstalled = bot.installations.some(
        each => isActive(each) && each.integrationId === principal.integrationId,
      );
      if (!isInstalled) throw forbidden();
    }
    return ok({ workspaceId: bot.workspaceId, botId, userId: callerIdOf(principal) });
  },
});
