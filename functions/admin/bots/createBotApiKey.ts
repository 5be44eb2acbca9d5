import * as z from 'zod/mini';
import { created } from '#shared/api/operation.ts';
import { adminOperation } from '#shared/api/operations/platform.ts';
import { note, tokenFields } from '#shared/domain/admin/adminInputs.ts';
import { requireBot } from '#shared/domain/admin/bots/requireBot.ts';
import { grantToken, NewTokenView, viewToken } from '#shared/domain/admin/keys.ts';
import { botMustExist } from '#shared/storage/dynamodb/bots/bots.ts';
import { recordCreator } from '#shared/storage/dynamodb/callers/createdKeys.ts';
import { auditActor, putAudit } from '#shared/storage/dynamodb/workspace/audit.ts';
import { countToken } from '#shared/storage/dynamodb/workspace/tokens.ts';

export const createBotApiKey = adminOperation({
  name: 'createBotApiKey',
  summary: 'Creates an API key of a bot. Its value is shown only once.',
  method: 'POST',
  path: '/admin/bots/baks',
  scope: 'account',
  grants: 'access',
  table: 'writes',
  body: z.object({ botId: z.string(), note: z.optional(note()), ...tokenFields }),
  output: NewTokenView,
  statuses: [201],
  showsSecret: true,

  handle: async ({ input, account, workspaceId, token: creator, nowMs, commit }) => {
    const bot = await requireBot(workspaceId, input.botId);
    const { value, token, write } = grantToken('bak', bot.id, input, {
      token: creator,
      nowMs,
      createdBy: account.id,
      epoch: bot.keyEpoch,
    });
    return commit(created({ ...viewToken(token), value }), [
      write,
      await countToken('bak', bot.id),
      ...recordCreator(workspaceId, account, { kind: 'bak', ownerId: bot.id, token }),
      botMustExist(bot),
      putAudit(
        workspaceId,
        auditActor(account),
        { action: 'UNKNOWN', resourceId: bot.id, resourceName: bot.name, value: `CREATE_BOT_API_KEY ${token.id}` },
        nowMs,
      ),
    ]);
  },
});
