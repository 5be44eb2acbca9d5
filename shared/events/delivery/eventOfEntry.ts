import { timelineId } from '#shared/core/ids.ts';
import { customType, MESSAGE_CREATED } from '#shared/domain/messaging/botViews/eventPayload.ts';
import type { Bot } from '#shared/storage/dynamodb/bots/bots.ts';
import { labelOf } from '#shared/storage/dynamodb/bots/installation.ts';
import { findConversation } from '#shared/storage/dynamodb/chat/conversations.ts';
import type { Entry } from '#shared/storage/dynamodb/chat/entry.ts';
import { type Event, timelineEventId } from '#shared/storage/dynamodb/chat/events.ts';

/** Returns the event of a timeline entry, or undefined for the bot's own messages and imported history. */
export async function eventOfEntry(bot: Bot, conversationId: string, entry: Entry): Promise<Event | undefined> {
  const isOwn = entry.userId === bot.id || entry.direction === 'outgoing';
  if (isOwn || entry.isImported || (entry.kind !== 'message' && entry.kind !== 'event')) return undefined;
  const isMessage = entry.kind === 'message';
  return {
    id: timelineEventId(conversationId, entry.position),
    type: isMessage ? MESSAGE_CREATED : customType(await integrationOf(bot, conversationId)),
    status: 'pending',
    conversationId,
    userId: entry.userId,
    ...(isMessage ? { messageId: timelineId('msg', conversationId, entry.position) } : {}),
    generation: entry.generation || undefined,
  };
}

async function integrationOf(bot: Bot, conversationId: string): Promise<string> {
  const conversation = await findConversation(bot.id, conversationId);
  return conversation?.integration || labelOf(bot.installations[0] ?? USUAL);
}
const USUAL = { alias: 'chat', integrationId: '' };
