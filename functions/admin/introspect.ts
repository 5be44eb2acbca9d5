import * as z from 'zod/mini';
import { requireBot } from '#shared/admin/bots.ts';
import { ok } from '#shared/api/operation.ts';
import { callerIdOf } from '#shared/api/platform/caller.ts';
import { adminOperation } from '#shared/api/platform/operation.ts';
import { ApiError } from '#shared/errors.ts';

export const introspect = adminOperation({
  name: 'introspect',
  summary: 'Says who the caller is to a bot: of a token, only what it is for.',
  method: 'POST',
  path: '/admin/introspect',
  scope: 'workspace',
  table: 'reads',
  body: z.object({ botId: z.string() }),
  output: z.object({ workspaceId: z.string(), botId: z.string(), userId: z.string() }),
  statuses: [200],

  handle: async ({ input: { botId }, principal, workspaceId }) => {
    const forbidden = () => new ApiError('Forbidden', 'This key is not for this bot.');
    if (principal.kind === 'bot' && principal.botId !== botId) throw forbidden();
    const bot = await requireBot(workspaceId, botId);
    if (principal.kind === 'integration') {
      const isInstalled = bot.installations.some(
        each => each.isEnabled && each.integrationId === principal.integrationId,
      );
      if (!isInstalled) throw forbidden();
    }
    return ok({ workspaceId, botId, userId: callerIdOf(principal) });
  },
});
