import * as z from 'zod/mini';
import { ok } from '#shared/api/operation.ts';
import { adminOperation } from '#shared/api/operations/platform.ts';
import { requireBot } from '#shared/domain/admin/bots/requireBot.ts';
import { badEventRetries, MAX_ATTEMPTS, MAX_SECONDS } from '#shared/events/delivery/badEventRetries.ts';
import { type Bot, changeBot } from '#shared/storage/dynamodb/bots/bots.ts';
import { auditActor, putAudit } from '#shared/storage/dynamodb/workspace/audit.ts';

const setting = (most: number) => z.optional(z.nullable(z.int().check(z.minimum(1), z.maximum(most))));

export const updateBotDeliveries = adminOperation({
  name: 'updateBotDeliveries',
  summary:
    'Updates the retries of failed deliveries to the bot and its integrations: `attempts`, including the first, within `withinSeconds`. Omitted fields do not change, and null restores the default. An empty body returns the settings.',
  method: 'PUT',
  path: '/admin/bots/{id}/deliveries',
  scope: 'account',
  grants: 'nothing',
  table: 'writes',
  body: z.object({ attempts: setting(MAX_ATTEMPTS), withinSeconds: setting(MAX_SECONDS) }),
  output: z.object({ deliveries: z.object({ attempts: z.number(), withinSeconds: z.number() }) }),
  statuses: [200],

  handle: async ({ input: { id, ...changes }, account, workspaceId, nowMs, commit }) => {
    const bot = await requireBot(workspaceId, id);
    const changed = { ...bot, badEventRetries: changedRetries(bot, changes) };
    const { attempts, withinMs } = badEventRetries(changed);
    const answer = ok({ deliveries: { attempts, withinSeconds: withinMs / 1000 } });
    const names = Object.keys(changes);
    if (names.length === 0) return answer;
    return commit(answer, [
      changeBot(bot, { ...changed, updatedAtMs: nowMs }),
      putAudit(
        workspaceId,
        auditActor(account),
        { action: 'UPDATE_BOT', resourceId: bot.id, resourceName: bot.name, value: `deliveries: ${names.join(', ')}` },
        nowMs,
      ),
    ]);
  },
});

type Changes = { attempts?: number | null | undefined; withinSeconds?: number | null | undefined };

function changedRetries({ badEventRetries: before }: Bot, changes: Changes): Bot['badEventRetries'] {
  const after = { ...before, ...changes };
  return {
    ...(typeof after.attempts === 'number' ? { attempts: after.attempts } : {}),
    ...(typeof after.withinSeconds === 'number' ? { withinSeconds: after.withinSeconds } : {}),
  };
}
