import * as z from 'zod/mini';
import { BotView, requireBotWithDefinition, viewBot } from '#shared/admin/bots.ts';
import { ok } from '#shared/api/operation.ts';
import { adminOperation } from '#shared/api/platform/operation.ts';

export const getBot = adminOperation({
  name: 'getBot',
  summary: 'A bot of the workspace. While it is being deleted its status is `deleting`, and then it is gone.',
  method: 'GET',
  path: '/admin/bots/{id}',
  scope: 'account',
  table: 'reads',
  largeValues: 'reads',
  objects: 'readsAssets',
  output: z.object({ bot: BotView }),
  statuses: [200],

  handle: async ({ input, workspaceId }) => {
    const { bot, definition } = await requireBotWithDefinition(workspaceId, input.id);
    return ok({ bot: await viewBot(bot, definition) });
  },
});
