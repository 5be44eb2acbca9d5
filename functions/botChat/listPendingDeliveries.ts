import * as z from 'zod/mini';
import { ok } from '#shared/api/operation.ts';
import { botChatOperation } from '#shared/api/operations/platform.ts';
import { dateTime, iso } from '#shared/api/views.ts';
import { requireConversation } from '#shared/domain/botChat/botChatConversations.ts';
import { listPendingDeliveries as findPending } from '#shared/events/delivery/pendingDeliveries.ts';

const PendingDelivery = z.object({
  id: z.string(),
  messageId: z.optional(z.string()),
  integrationAlias: z.optional(z.string()),
  attempts: z.number(),
  reason: z.optional(z.string()),
  since: dateTime(),
  nextAttemptAt: dateTime(),
});

export const listPendingDeliveries = botChatOperation({
  name: 'listPendingDeliveries',
  summary: 'Lists the deliveries of a conversation that wait for another attempt, in order, up to 50 per endpoint.',
  scope: 'bot',
  method: 'GET',
  path: '/chat/conversations/{id}/pending-deliveries',
  table: 'reads',
  partitions: { reads: ['endpoints', 'pausedConversations'] },
  output: z.object({ deliveries: z.array(PendingDelivery) }),
  statuses: [200],

  handle: async call => {
    const conversation = await requireConversation(call, call.input.id);
    const deliveries = await findPending(call.botId, conversation);
    return ok({
      deliveries: deliveries.map(({ alias, sinceMs, nextAttemptMs, ...delivery }) => ({
        ...delivery,
        integrationAlias: alias,
        since: iso(sinceMs),
        nextAttemptAt: iso(nextAttemptMs),
      })),
    });
  },
});
