/** Conversations in the results of a search, read in batches for a page. */
import * as z from 'zod/mini';
import { dateTime, iso } from '#shared/api/views.ts';
import { mapConcurrently } from '#shared/core/concurrency.ts';
import { HandoffPreview, previewsOf } from '#shared/domain/botChat/handoffs/handoffPreviews.ts';
import { HandoffView, viewHandoff } from '#shared/domain/botChat/handoffs/handoffView.ts';
import type { Conversation } from '#shared/storage/dynamodb/chat/conversations.ts';
import { findLatestHandoffs } from '#shared/storage/dynamodb/chat/handoffs.ts';

export const FoundConversation = z.object({
  id: z.string(),
  updatedAt: dateTime(),
  handoff: z.optional(HandoffView),
  preview: z.optional(HandoffPreview),
});
export type FoundConversation = z.infer<typeof FoundConversation>;

export interface ConversationOfBot {
  botId: string;
  conversation: Conversation;
}

const CONCURRENT_BOTS = 25;

/** Adds the latest handoff and what a list shows. In order. */
export async function viewFound(found: readonly ConversationOfBot[]): Promise<FoundConversation[]> {
  const byBot = Map.groupBy(found, ({ botId }) => botId);
  const views = await mapConcurrently([...byBot], CONCURRENT_BOTS, async ([botId, own]) => {
    const conversations = own.map(({ conversation }) => conversation);
    const [handoffs, previews] = await Promise.all([
      findLatestHandoffs(botId, conversations),
      previewsOf(botId, conversations),
    ]);
    const handoffOf = new Map(handoffs.map(handoff => [handoff.conversationId, handoff]));
    return own.map(each => {
      const { id, updatedAtMs } = each.conversation;
      const handoff = handoffOf.get(id);
      const view: FoundConversation = {
        id,
        updatedAt: iso(updatedAtMs),
        ...(handoff ? { handoff: viewHandoff(handoff) } : {}),
        preview: previews.get(id),
      };
      return [each, view] as const;
    });
  });
  const viewOf = new Map(views.flat());
  return found.map(each => viewOf.get(each)!);
}
