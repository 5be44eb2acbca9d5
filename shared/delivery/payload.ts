/** What an event says to the bot: stored with it, or read of what it is about. */

import { viewConversation } from '#shared/botChat/views/conversation.ts';
import { contentOf, viewMessage } from '#shared/botChat/views/message.ts';
import { viewBotAsUser, viewUser } from '#shared/botChat/views/user.ts';
import { parseConversation } from '#shared/dynamodb/chat/conversations.ts';
import { type Event, entryOfEvent } from '#shared/dynamodb/chat/events.ts';
import { type Entry, parseEntry } from '#shared/dynamodb/chat/timeline.ts';
import { parseUser } from '#shared/dynamodb/chat/users.ts';
import { conversationKey, timelineKey, userKey } from '#shared/dynamodb/keys/chat.ts';
import { readItems } from '#shared/dynamodb/query.ts';
import { type Bot, findBot } from '#shared/dynamodb/workspace/bots.ts';
import { BOT_SCOPE } from '#shared/messaging/callerScope.ts';
import { loadValue } from '#shared/s3/largeValue.ts';

/** @returns the payload; undefined when what the event is about is there no more */
export async function payloadOf(botId: string, event: Event): Promise<Record<string, unknown> | undefined> {
  const logMessages = entryOfEvent(event.id);
  return logMessages ? saidPayload(botId, event, logMessages) : ((await loadValue(event)) as Record<string, unknown>);
}

async function saidPayload(
  botId: string,
  event: Event,
  { conversationId, position }: { conversationId: string; position: string },
): Promise<Record<string, unknown> | undefined> {
  const [entryItem, conversationItem, userItem] = await readItems([
    timelineKey(botId, conversationId, position),
    conversationKey(botId, conversationId),
    userKey(botId, event.userId ?? '-'),
  ]);
  const conversation = parseConversation(conversationItem);
  const entry = entryItem && parseEntry(entryItem);
  if (!entry || !conversation || entry.generation !== conversation.generation) return undefined;
  if (event.type !== MESSAGE_CREATED) return customPayload(conversationId, entry);

  const user = parseUser(userItem);
  const scope = { ...BOT_SCOPE, botId };
  return {
    message: viewMessage(scope, conversationId, entry, await contentOf(entry)),
    // Who was deleted since has said it nevertheless.
    user: user ? viewUser(scope, user) : await nobody(botId, entry),
    conversation: viewConversation(scope, conversation),
  };
}

/** The type of the event that a message is for the bot. */
export const MESSAGE_CREATED = 'message_created';
/** That of a chat user's custom event, by what the bot calls the integration. */
export const customType = (integration: string) => `${integration}:custom`;

const customPayload = async (conversationId: string, entry: Entry) => ({
  userId: entry.userId,
  conversationId,
  payload: (await loadValue(entry.payload!)) as Record<string, unknown>,
});

async function nobody(botId: string, { userId }: Entry) {
  const bot = userId === botId ? await findBot(botId) : undefined;
  return bot ? viewBotAsUser(bot as Bot) : { id: userId, tags: {} };
}
