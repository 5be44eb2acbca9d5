import * as z from 'zod/mini';
import { ok } from '#shared/api/operation.ts';
import { chatOperation } from '#shared/api/operations/chat.ts';
import { dateTime, iso } from '#shared/api/views.ts';
import { text } from '#shared/core/text.ts';
import { requireRatable } from '#shared/domain/chat/requireRatable.ts';
import { countHandoffRating } from '#shared/domain/messaging/handoffCounters.ts';
import { findLastHandoffs, recordRating } from '#shared/storage/dynamodb/chat/handoffs.ts';

export const rateHandoff = chatOperation({
  name: 'rateHandoff',
  summary:
    'Rates the latest closed handoff of a conversation, from 1 to 5, within 7 days after its end. It replaces an earlier rating.',
  method: 'PUT',
  path: '/conversations/{id}/rating',
  access: { who: 'participant', of: input => input.id },
  table: 'writes',
  partitions: { appends: ['reports'] },
  body: z.object({
    value: z.int().check(z.minimum(1), z.maximum(5)),
    comment: z.optional(text(1_000)),
  }),
  output: z.object({
    rating: z.object({ value: z.number(), comment: z.optional(z.string()), ratedAt: dateTime() }),
  }),
  statuses: [200],

  handle: async ({ botId, input: { value, comment }, participant, nowMs, commit }) => {
    const { conversationId, generation, userId } = participant;
    const handoff = requireRatable(await findLastHandoffs(botId, { id: conversationId, generation }), nowMs);
    const rating = { value, comment, ratedAtMs: nowMs, userId };
    return commit(ok({ rating: { value, comment, ratedAt: iso(nowMs) } }), [
      recordRating(botId, handoff, rating),
      ...countHandoffRating(botId, handoff, rating),
    ]);
  },
});
