import * as z from 'zod/mini';
import { requireUnlimited } from '#shared/api/auth/callerLimits.ts';
import { ok } from '#shared/api/operation.ts';
import { adminOperation } from '#shared/api/operations/platform.ts';
import { requireBot } from '#shared/domain/admin/bots/requireBot.ts';
import { newSigningSecret, rotated } from '#shared/domain/admin/signingSecrets.ts';
import { changeBot } from '#shared/storage/dynamodb/bots/bots.ts';
import { auditActor, putAudit } from '#shared/storage/dynamodb/workspace/audit.ts';
import { putLogLine } from '#shared/storage/dynamodb/workspace/logs.ts';

export const rotateBotSigningSecrets = adminOperation({
  name: 'rotateBotSigningSecrets',
  summary: 'Creates a new signing secret of a bot, shown only once. The previous one stays valid for 24 hours.',
  method: 'POST',
  path: '/admin/bots/{id}/signing-secrets/rotate',
  scope: 'account',
  grants: 'access',
  table: 'writes',
  partitions: { appends: ['logs'] },
  secrets: 'opens',
  output: z.object({ newSigningSecret: z.string() }),
  statuses: [200],
  showsSecret: true,

  handle: async ({ input, account, token, workspaceId, nowMs, commit }) => {
    requireUnlimited(token, 'the signing secret');
    const bot = await requireBot(workspaceId, input.id);
    const { value, stored } = newSigningSecret(bot.id);
    const signingSecrets = rotated(bot.signingSecrets, stored, nowMs);
    return commit(ok({ newSigningSecret: value }), [
      changeBot(bot, { ...bot, signingSecrets }),
      putLogLine(bot.id, { timestampMs: nowMs, level: 'info', message: 'The signing secret was rotated.' }),
      putAudit(
        workspaceId,
        auditActor(account),
        {
          action: 'UPDATE_BOT',
          resourceId: bot.id,
          resourceName: bot.name,
          value: 'ROTATE_BOT_SIGNING_SECRETS',
        },
        nowMs,
      ),
    ]);
  },
});
