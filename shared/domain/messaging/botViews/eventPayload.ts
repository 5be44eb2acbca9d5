/** The payload of an event is stored with the event, or built from its timeline entry. */

import { BOT_SCOPE } from '#shared/domain/messaging/callerScope.ts';
import { type Bot, findBot } from '#shared/storage/dynamodb/bots/bots.ts';
import type { BotUser } from '#shared/storage/dynamodb/chat/botUser.ts';
import type { Conversation } from '#shared/storage/dynamodb/chat/conversations.ts';
import type { Entry } from '#shared/storage/dynamodb/chat/entry.ts';
import { findEntryInContext } from '#shared/storage/dynamodb/chat/entryInContext.ts';
import { type Event, entryOfEvent } from '#shared/storage/dynamodb/chat/events.ts';
import type { EntryRef } from '#shared/storage/dynamodb/chat/timeline.ts';
import { loadValue } from '#shared/storage/dynamodb/engine/largeValue.ts';
import { viewConversation } from './conversationView.ts';
import { contentOf, viewMessage } from './messageView.ts';
import { viewBotAsUser, viewUser } from './userView.ts';

export const MESSAGE_CREATED = 'message_created';
/** Returns the type of a chat user's custom event. @param integration the bot's name of the integration */
export const customType = (integration: string) => `${integration}:custom`;

type Payload = Record<string, unknown>;

/** @returns undefined if the timeline entry of the event was deleted */
export const payloadOf = async (botId: string, event: Event): Promise<Payload | undefined> =>
  (await contextOf(botId, event))?.payload;

/**
 * Returns the payload and, for an event about a timeline entry, the conversation.
 * @returns undefined if the timeline entry was deleted
 */
export async function contextOf(
  botId: string,
  event: Event,
): Promise<{ payload: Payload; conversation?: Conversation } | undefined> {
  const ref = entryOfEvent(event.id);
  return ref ? contextOfEntry(botId, event, ref) : { payload: (await loadValue(event)) as Payload };
}

async function contextOfEntry(botId: string, event: Event, ref: EntryRef) {
  const { entry, conversation, user, botUser } = await findEntryInContext(
    botId,
    ref.conversationId,
    ref.position,
    event.userId,
  );
  if (!entry || !conversation || entry.generation !== conversation.generation) return undefined;
  if (event.type !== MESSAGE_CREATED) return { conversation, payload: await customPayload(conversation.id, entry) };

  const scope = { ...BOT_SCOPE, botId };
  const payload = {
    message: viewMessage(scope, conversation.id, entry, await contentOf(entry)),
    user: user ? viewUser(scope, user) : await viewMissingUser(botId, entry, botUser),
    conversation: viewConversation(scope, conversation),
  };
  return { conversation, payload };
}

const customPayload = async (conversationId: string, entry: Entry) => ({
  userId: entry.userId,
  conversationId,
  payload: (await loadValue(entry.payload!)) as Record<string, unknown>,
});

async function viewMissingUser(botId: string, { userId }: Entry, botUser: BotUser | undefined) {
  const bot = botUser && (await findBot(botId));
  return bot ? viewBotAsUser(BOT_SCOPE, bot as Bot, botUser) : { id: userId, tags: {} };
}
