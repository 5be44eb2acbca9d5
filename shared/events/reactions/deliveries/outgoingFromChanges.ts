import { clock } from '#shared/core/clock.ts';
import { timelineId } from '#shared/core/ids.ts';
import { viewConversation } from '#shared/domain/messaging/botViews/conversationView.ts';
import { contentOf, viewMessage } from '#shared/domain/messaging/botViews/messageView.ts';
import { recipientInstallation } from '#shared/events/delivery/deliveryAddress.ts';
import { type Bot, findBot } from '#shared/storage/dynamodb/bots/bots.ts';
import type { Installation } from '#shared/storage/dynamodb/bots/installation.ts';
import { type Conversation, conversationInImage } from '#shared/storage/dynamodb/chat/conversations.ts';
import { type Entry, parseEntry } from '#shared/storage/dynamodb/chat/entry.ts';
import { type Outgoing, outgoingId } from '#shared/storage/dynamodb/chat/outgoing.ts';
import { storeValue, VALUE } from '#shared/storage/dynamodb/engine/largeValue.ts';
import type { StreamChange } from '#shared/storage/dynamodb/engine/streamChange.ts';
import { webhookOf } from './conversationWebhook.ts';

/** Returns the outbound record of a change, if integrations receive it (docs/api/botChat.md#outgoing). */
export async function outgoingOf(bot: Bot, change: StreamChange): Promise<Outgoing | undefined> {
  return change.kind === 'conversation' ? ofConversation(bot, change) : ofEntry(bot, change);
}

/**
 * Returns true if integrations may receive the change, according to its images. They do not receive changes by chat
 * users.
 */
export const mayGoOut = (change: StreamChange): boolean =>
  isChangedByBot(change) ||
  (change.kind === 'timelineEntry' && change.event === 'INSERT' && isSaidByBot(parseEntry(change.after)));

const isSaidByBot = ({ kind, direction }: Entry) => kind === 'message' && direction === 'outgoing';

async function ofEntry(bot: Bot, change: StreamChange): Promise<Outgoing | undefined> {
  const { before, after, id: conversationId } = change;
  const entry = parseEntry(after);
  if (!isSaidByBot(entry) || entry.isImported || entry.by === 'integration') return undefined;
  const isNew = change.event === 'INSERT';
  if (!isNew && !isChangedByBot(change)) return undefined;
  const webhookId = await webhookOf(bot.id, conversationId);
  const installation = await installationOf(bot, webhookId);
  if (!installation) return undefined;
  const base = {
    ...baseOf(change, installation),
    generation: entry.generation || undefined,
    messageId: timelineId('msg', conversationId, entry.position),
    userId: entry.userId,
  };
  if (isNew) return { ...base, operation: 'message_created' };
  const viewOf = async (image: Entry) =>
    viewMessage({ installation, botId: bot.id }, conversationId, image, await contentIn(image));
  const [currentMessage, previousMessage] = await Promise.all([viewOf(entry), viewOf(parseEntry(before))]);
  return {
    ...base,
    operation: 'message_updated',
    ...(await storeValue(bot.id, { currentMessage, previousMessage })),
  };
}

async function ofConversation(bot: Bot, change: StreamChange): Promise<Outgoing | undefined> {
  const [before, after] = [conversationInImage(change.before), conversationInImage(change.after)];
  if (!before || !after || before.generation !== after.generation || !isChangedByBot(change)) return undefined;
  const installation = await installationOf(bot, after.webhookId);
  if (!installation) return undefined;
  const viewOf = (conversation: Conversation) => viewConversation({ installation }, conversation);
  return {
    ...baseOf(change, installation),
    generation: after.generation || undefined,
    operation: 'conversation_updated',
    ...(await storeValue(bot.id, { currentConversation: viewOf(after), previousConversation: viewOf(before) })),
  };
}

/** Excludes changes by the integration itself. */
const isChangedByBot = ({ before, after }: StreamChange) => after.by === 'bot' && after.version !== before.version;

const baseOf = ({ id: conversationId, sequenceNumber }: StreamChange, { webhookId }: Installation) => ({
  id: outgoingId(conversationId, sequenceNumber),
  status: 'pending' as const,
  conversationId,
  webhookId,
  createdAtMs: clock.now(),
});

/** Tolerates a missing object, because a replaced payload's object may already have been deleted. */
async function contentIn(entry: Entry) {
  try {
    return await contentOf(entry);
  } catch (error) {
    if (entry.payload?.[VALUE.object] === undefined) throw error;
    return { type: entry.type ?? '', payload: {} };
  }
}

/**
 * Includes an installation that lacks its configuration: its deliveries fail with that reason. Falls back to the
 * uncached bot, so that an integration works immediately after its installation.
 */
async function installationOf(bot: Bot, webhookId: string | undefined): Promise<Installation | undefined> {
  if (!webhookId) return undefined;
  if (bot.installations.some(each => each.webhookId === webhookId)) return recipientInstallation(bot, webhookId);
  const current = await findBot(bot.id);
  return current && recipientInstallation(current, webhookId);
}
