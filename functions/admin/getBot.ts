import * as z from 'zod/mini';
import { requireBotWithDefinition } from '#shared/admin/bots/requireBot.ts';
import { BotView, viewBot } from '#shared/admin/bots/view.ts';
import { ok } from '#shared/api/operation.ts';
import { adminOperation } from '#shared/api/platform/operation.ts';

export const getBot = adminOperation({
  name: 'getBot',
  summary: 'Gets a bot of the workspace. Its status is `deleting` until its deletion is complete.',
  method: 'GET',
  path: '/admin/bots/{id}',
  scope: 'account',
  table: 'reads',
  secrets: 'opens',
  largeValues: 'reads',
  objects: 'readsAssets',
  output: z.object({ bot: BotView }),
  statuses: [200],

  handle: async ({ input, workspaceId, role }) => {
    const { bot, definition } = await requireBotWithDefinition(workspaceId, input.id);
    return ok({ bot: await viewBot(bot, definition, role) });
  },
});
