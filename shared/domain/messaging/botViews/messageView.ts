/** Messages as bots see them, with the type next to the payload. */
import * as z from 'zod/mini';
import { dateTime, iso } from '#shared/api/views.ts';
import { timelineId } from '#shared/core/ids.ts';
import { type CallerScope, shownTags } from '#shared/domain/messaging/callerScope.ts';
import { type BotContent, type ChatContent, toBotContent } from '#shared/domain/messaging/payloadForms.ts';
import { createdAtMs, type Entry, type Feedback } from '#shared/storage/dynamodb/chat/entry.ts';
import { loadValue } from '#shared/storage/dynamodb/engine/largeValue.ts';
import { Names, Payload } from './viewFields.ts';

export const MessageView = z.object({
  id: z.string(),
  createdAt: dateTime(),
  updatedAt: dateTime(),
  type: z.string(),
  payload: Payload,
  direction: z.enum(['incoming', 'outgoing']),
  userId: z.string(),
  conversationId: z.string(),
  tags: Names,
  origin: z.optional(z.literal('synthetic')),
});

/** Derived tag with the reason why the conversation's integration rejected the message. */
const UNDELIVERED_TAG = 'deliveryFailure';

/** Derived tags with a chat user's feedback. */
const feedbackTags = ({ value, comment }: Feedback) => ({
  feedback: value,
  ...(comment ? { feedbackComment: comment } : {}),
});

export const viewMessage = (
  scope: Pick<CallerScope, 'installation' | 'botId'>,
  conversationId: string,
  entry: Entry,
  { type, payload }: BotContent,
): z.infer<typeof MessageView> => ({
  id: timelineId('msg', conversationId, entry.position),
  createdAt: iso(createdAtMs(entry)),
  updatedAt: iso(entry.changedAtMs ?? createdAtMs(entry)),
  type,
  payload,
  direction: entry.direction ?? (entry.userId === scope.botId ? 'outgoing' : 'incoming'),
  userId: entry.userId,
  conversationId,
  tags: {
    ...shownTags(scope, entry.tags ?? {}),
    ...(entry.feedback && !scope.installation ? feedbackTags(entry.feedback) : {}),
    ...(entry.undelivered && !scope.installation ? { [UNDELIVERED_TAG]: entry.undelivered } : {}),
  },
  ...(entry.isSynthetic ? { origin: 'synthetic' as const } : {}),
});

export async function contentOf({ type, payload, hasMetadata }: Entry): Promise<BotContent> {
  const value = (await loadValue(payload!)) as Record<string, unknown>;
  if (type !== undefined) return { type, payload: value };
  return toBotContent((hasMetadata ? value : { payload: value }) as unknown as ChatContent);
}

export const loadMessage = async (scope: CallerScope, conversationId: string, entry: Entry) =>
  viewMessage(scope, conversationId, entry, await contentOf(entry));
