import * as z from 'zod/mini';
import { ok } from '#shared/api/operation.ts';
import { adminOperation } from '#shared/api/operations/platform.ts';
import { invalidPayload } from '#shared/core/errors.ts';
import { requireBot } from '#shared/domain/admin/bots/requireBot.ts';
import { replayEvents } from '#shared/events/delivery/replayEvents.ts';
import { isReachable } from '#shared/outbound/code/callTarget.ts';
import { isActive } from '#shared/storage/dynamodb/bots/installation.ts';

export const replayBotEvents = adminOperation({
  name: 'replayBotEvents',
  summary: 'Delivers failed events of a bot again, up to 500 per call. Pass `next` to continue.',
  scope: 'account',
  grants: 'nothing',
  method: 'POST',
  path: '/admin/bots/{id}/events/replay',
  table: 'writes',
  partitions: { writes: ['conversations'] },
  largeValues: 'writes',
  body: z.object({
    since: z.optional(z.iso.datetime({ offset: true })),
    next: z.optional(z.string().check(z.maxLength(200))),
  }),
  output: z.object({ replayed: z.number(), next: z.optional(z.string()) }),
  statuses: [200],

  handle: async ({ workspaceId, input, commit }) => {
    const bot = await requireBot(workspaceId, input.id);
    const isSentOut = bot.installations.some(
      each => isActive(each) && (!each.isChat || each.signalUrlHash !== undefined),
    );
    if (!isReachable(bot) && !isSentOut) {
      throw invalidPayload(
        'The bot has no endpoint: no url, no code, no integration and no webhook of a chat. Set one with updateBot first.',
        'id',
      );
    }
    const sinceMs = input.since === undefined ? undefined : Date.parse(input.since);
    return commit(ok(await replayEvents(bot.id, { sinceMs, after: input.next })), []);
  },
});
