/** The payload of an event as its bot receives it: stored with the event, or read from the message it is about. */

import { viewConversation } from '#shared/botChat/views/conversation.ts';
import { contentOf, viewMessage } from '#shared/botChat/views/message.ts';
import { viewBotAsUser, viewUser } from '#shared/botChat/views/user.ts';
import { findEntryInContext } from '#shared/dynamodb/chat/entryInContext.ts';
import { type Event, entryOfEvent } from '#shared/dynamodb/chat/events.ts';
import type { Entry } from '#shared/dynamodb/chat/timeline.ts';
import { type Bot, findBot } from '#shared/dynamodb/workspace/bots.ts';
import { BOT_SCOPE } from '#shared/messaging/callerScope.ts';
import { loadValue } from '#shared/s3/largeValue.ts';

/** @returns undefined when the message, its user's entry or its conversation was deleted */
export async function payloadOf(botId: string, event: Event): Promise<Record<string, unknown> | undefined> {
  const said = entryOfEvent(event.id);
  return said ? saidPayload(botId, event, said) : ((await loadValue(event)) as Record<string, unknown>);
}

async function saidPayload(
  botId: string,
  event: Event,
  { conversationId, position }: { conversationId: string; position: string },
): Promise<Record<string, unknown> | undefined> {
  const { entry, conversation, user } = await findEntryInContext(botId, conversationId, position, event.userId);
  if (!entry || !conversation || entry.generation !== conversation.generation) return undefined;
  if (event.type !== MESSAGE_CREATED) return customPayload(conversationId, entry);

  const scope = { ...BOT_SCOPE, botId };
  return {
    message: viewMessage(scope, conversationId, entry, await contentOf(entry)),
    // The message of a user who was deleted since is still delivered.
    user: user ? viewUser(scope, user) : await viewMissingUser(botId, entry),
    conversation: viewConversation(scope, conversation),
  };
}

/** The event type of a message. */
export const MESSAGE_CREATED = 'message_created';
/** The event type of a chat user's custom event. @param integration the bot's label for it */
export const customType = (integration: string) => `${integration}:custom`;

const customPayload = async (conversationId: string, entry: Entry) => ({
  userId: entry.userId,
  conversationId,
  payload: (await loadValue(entry.payload!)) as Record<string, unknown>,
});

async function viewMissingUser(botId: string, { userId }: Entry) {
  const bot = userId === botId ? await findBot(botId) : undefined;
  return bot ? viewBotAsUser(bot as Bot) : { id: userId, tags: {} };
}
