/** Messages, with their type beside what they say. */
import * as z from 'zod/mini';
import { unpack } from '#shared/s3/largeValue.ts';
import { timelineId } from '#shared/ids.ts';
import { createdAtMs, type Entry } from '#shared/dynamodb/chat/timeline.ts';
import { dateTime, iso } from '#shared/api/views.ts';
import { type Place, shownTags } from '#shared/messaging/callerScope.ts';
import { type BotContent, type ChatContent, toBotContent } from '#shared/messaging/payloadForms.ts';
import { Names, Payload } from './common.ts';

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

export const viewMessage = (
  place: Pick<Place, 'installation' | 'botId'>,
  conversationId: string,
  entry: Entry,
  { type, payload }: BotContent,
): z.infer<typeof MessageView> => ({
  id: timelineId('msg', conversationId, entry.position),
  createdAt: iso(createdAtMs(entry)),
  updatedAt: iso(entry.changedAtMs ?? createdAtMs(entry)),
  type,
  payload,
  direction: entry.direction ?? (entry.userId === place.botId ? 'outgoing' : 'incoming'),
  userId: entry.userId,
  conversationId,
  tags: shownTags(place, entry.tags ?? {}),
  ...(entry.isSynthetic ? { origin: 'synthetic' as const } : {}),
});

/** What a message says, in the form of this interface. */
export async function contentOf({ type, payload, hasMetadata }: Entry): Promise<BotContent> {
  const value = (await unpack(payload!)) as Record<string, unknown>;
  if (type !== undefined) return { type, payload: value };
  return toBotContent((hasMetadata ? value : { payload: value }) as unknown as ChatContent);
}

export const loadMessage = async (place: Place, conversationId: string, entry: Entry) =>
  viewMessage(place, conversationId, entry, await contentOf(entry));
