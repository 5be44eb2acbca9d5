import * as z from 'zod/mini';
import { ok } from '#shared/api/operation.ts';
import { adminOperation } from '#shared/api/operations/platform.ts';
import { requireBot } from '#shared/domain/admin/bots/requireBot.ts';
import { TokenView, viewToken } from '#shared/domain/admin/keys.ts';
import { isOutdated, listTokens } from '#shared/storage/dynamodb/workspace/tokens.ts';

export const listBotApiKeys = adminOperation({
  name: 'listBotApiKeys',
  summary: 'Lists the API keys of a bot, without their values.',
  method: 'GET',
  path: '/admin/bots/baks',
  scope: 'account',
  table: 'reads',
  query: z.object({ botId: z.string() }),
  output: z.object({ baks: z.array(TokenView) }),
  statuses: [200],

  handle: async ({ input, workspaceId }) => {
    const bot = await requireBot(workspaceId, input.botId);
    const tokens = await listTokens('bak', bot.id);
    return ok({ baks: tokens.filter(token => !isOutdated(token, bot)).map(viewToken) });
  },
});
