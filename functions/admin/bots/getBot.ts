import * as z from 'zod/mini';
import { requireOwn } from '#shared/api/auth/callerLimits.ts';
import { ok } from '#shared/api/operation.ts';
import { adminOperation } from '#shared/api/operations/platform.ts';
import { notFound } from '#shared/core/errors.ts';
import { BotView, viewBot } from '#shared/domain/admin/bots/botView.ts';
import { requireBotWithDefinition } from '#shared/domain/admin/bots/requireBot.ts';

export const getBot = adminOperation({
  name: 'getBot',
  summary:
    'Gets a bot of the workspace. The key of a bot gets only that bot. Its status is `deleting` until its deletion is complete.',
  method: 'GET',
  path: '/admin/bots/{id}',
  scope: 'workspace',
  table: 'reads',
  // Plugins are shown with the name and version of their package.
  partitions: { reads: ['packages'] },
  secrets: 'opens',
  largeValues: 'reads',
  objects: { reads: ['assets'] },
  output: z.object({ bot: BotView }),
  statuses: [200],

  handle: async call => {
    const { input, workspaceId, principal, role, botLimit } = call;
    requireOwn(call, principal.kind === 'bot' && principal.botId === input.id);
    if (botLimit && !botLimit.includes(input.id)) throw notFound(`The bot ${input.id}`);
    const { bot, definition } = await requireBotWithDefinition(workspaceId!, input.id);
    // A bot may read its own secrets and configuration.
    return ok({ bot: await viewBot(bot, definition, role ?? 'developer') });
  },
});
