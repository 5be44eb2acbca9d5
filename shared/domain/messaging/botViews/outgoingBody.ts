/**
 * Body of a call to an integration about one of its conversations, in the format of the SDK's handlers
 * (docs/api/botChat.md#outgoing).
 */
import type * as z from 'zod/mini';
import { parseTimelineId } from '#shared/core/ids.ts';
import type { Bot } from '#shared/storage/dynamodb/bots/bots.ts';
import type { Installation } from '#shared/storage/dynamodb/bots/installation.ts';
import type { BotUser } from '#shared/storage/dynamodb/chat/botUser.ts';
import { type Conversation, findConversation } from '#shared/storage/dynamodb/chat/conversations.ts';
import type { Entry } from '#shared/storage/dynamodb/chat/entry.ts';
import { findEntryInContext } from '#shared/storage/dynamodb/chat/entryInContext.ts';
import type { Outgoing } from '#shared/storage/dynamodb/chat/outgoing.ts';
import type { User } from '#shared/storage/dynamodb/chat/users.ts';
import { loadValue } from '#shared/storage/dynamodb/engine/largeValue.ts';
import { viewConversation } from './conversationView.ts';
import { contentOf, type MessageView, viewMessage } from './messageView.ts';
import { viewBotAsUser, viewUser } from './userView.ts';

type Message = z.infer<typeof MessageView>;

/** Returns the body and the conversation's channel; undefined if the message or the conversation was deleted. */
export async function outgoingBody(
  bot: Bot,
  installation: Installation,
  outgoing: Outgoing,
): Promise<{ channel: string; body: Record<string, unknown> } | undefined> {
  const scope = { installation, botId: bot.id };
  const { operation, conversationId, messageId, userId } = outgoing;
  if (operation === 'conversation_updated') {
    const conversation = await findConversation(bot.id, conversationId);
    if (!isCurrent(conversation, outgoing)) return undefined;
    return { channel: conversation.channel, body: await changeOf(outgoing) };
  }
  const { position } = parseTimelineId('msg', messageId!)!;
  const { entry, conversation, ...author } = await findEntryInContext(bot.id, conversationId, position, userId);
  if (!entry || !isCurrent(conversation, outgoing)) return undefined;
  const context = {
    conversation: viewConversation(scope, conversation),
    user: viewAuthor(bot, installation, entry, author),
  };
  if (operation === 'message_updated') {
    const change = await changeOf(outgoing);
    const { type, payload } = change.currentMessage as Message;
    return { channel: conversation.channel, body: { ...context, type, payload, ...change } };
  }
  const message = viewMessage(scope, conversationId, entry, await contentOf(entry));
  const { type, payload } = message;
  return { channel: conversation.channel, body: { ...context, type, payload, message } };
}

const isCurrent = (
  conversation: Conversation | undefined,
  { generation = 0 }: Outgoing,
): conversation is Conversation => conversation?.generation === generation;

const changeOf = async (outgoing: Outgoing) => (await loadValue(outgoing)) as Record<string, unknown>;

function viewAuthor(
  bot: Bot,
  installation: Installation,
  { userId }: Entry,
  { user, botUser }: { user?: User | undefined; botUser?: BotUser },
) {
  if (user) return viewUser({ installation }, user);
  return botUser ? viewBotAsUser({ installation }, bot, botUser) : { id: userId, tags: {} };
}
