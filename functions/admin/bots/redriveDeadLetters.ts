import * as z from 'zod/mini';
import { ok } from '#shared/api/operation.ts';
import { adminOperation } from '#shared/api/operations/platform.ts';
import { requireBot } from '#shared/domain/admin/bots/requireBot.ts';
import { redrive } from '#shared/domain/admin/redriveDeadLetters.ts';

export const redriveDeadLetters = adminOperation({
  name: 'redriveDeadLetters',
  summary: 'Redrives the dead letters of a bot: all, or the given ids, up to 500 per call. Pass `next` to continue.',
  method: 'POST',
  path: '/admin/bots/{id}/parked/redrive',
  scope: 'account',
  grants: 'nothing',
  table: 'writes',
  partitions: { writes: ['deadLetters'] },
  body: z.object({
    ids: z.optional(z.array(z.string().check(z.maxLength(100))).check(z.minLength(1), z.maxLength(500))),
    next: z.optional(z.string().check(z.maxLength(200))),
  }),
  output: z.object({ redriven: z.number(), next: z.optional(z.string()) }),
  statuses: [200],

  handle: async ({ workspaceId, input, nowMs, commit }) => {
    const bot = await requireBot(workspaceId, input.id);
    return commit(ok(await redrive(bot.id, { ids: input.ids, after: input.next, nowMs })), []);
  },
});
