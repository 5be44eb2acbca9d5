import * as z from 'zod/mini';
import { ok } from '#shared/api/operation.ts';
import { adminOperation } from '#shared/api/operations/platform.ts';
import { requireBot } from '#shared/domain/admin/bots/requireBot.ts';
import { requireKey } from '#shared/domain/admin/keys.ts';
import { removeKey } from '#shared/storage/dynamodb/callers/createdKeys.ts';
import { auditActor, putAudit } from '#shared/storage/dynamodb/workspace/audit.ts';

export const deleteBotApiKey = adminOperation({
  name: 'deleteBotApiKey',
  summary: 'Revokes an API key of a bot. It stops working within a minute.',
  method: 'DELETE',
  path: '/admin/bots/baks/{id}',
  scope: 'account',
  grants: 'access',
  table: 'writes',
  output: z.object({}),
  statuses: [200],

  handle: async ({ input: { id }, account, workspaceId, nowMs, commit }) => {
    const { ownerId, token } = await requireKey('bak', id);
    const bot = await requireBot(workspaceId, ownerId);
    return commit(ok({}), [
      ...removeKey(workspaceId, { kind: 'bak', ownerId, token }),
      putAudit(
        workspaceId,
        auditActor(account),
        { action: 'UNKNOWN', resourceId: ownerId, resourceName: bot.name, value: `DELETE_BOT_API_KEY ${id}` },
        nowMs,
      ),
    ]);
  },
});
