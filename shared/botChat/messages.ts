/** Messages, as the bot-level operations find, make and change them. */

import { dueMsOf, present } from '#shared/api/platform/inputs.ts';
import { type Conversation, parseConversation } from '#shared/dynamodb/chat/conversations.ts';
import { Participant } from '#shared/dynamodb/chat/participants.ts';
import {
  appendEntry,
  type Entry,
  findEntries,
  findPostponed,
  parseEntry,
  postponeEntry,
  taggedMessage,
} from '#shared/dynamodb/chat/timeline.ts';
import { parseUser, type User } from '#shared/dynamodb/chat/users.ts';
import { parseWebhook } from '#shared/dynamodb/chat/webhooks.ts';
import {
  conversationKey,
  laterKey,
  messageClaimKey,
  participantKey,
  timelineKey,
  userKey,
  webhookKey,
} from '#shared/dynamodb/keys/chat.ts';
import type { Key } from '#shared/dynamodb/keys/table.ts';
import { END, inChunks } from '#shared/dynamodb/lists.ts';
import { type Item, readItems } from '#shared/dynamodb/query.ts';
import { listTaggedMessages, type Tags, tagValueKeys, tagWrites } from '#shared/dynamodb/tags.ts';
import { type Write, WriteConflict } from '#shared/dynamodb/transaction.ts';
import { invalidPayload, notFound } from '#shared/errors.ts';
import { hashText, isConversationId, newPosition, parseTimelineId, positionAt } from '#shared/ids.ts';
import { type CallerScope, canSee, storedNames } from '#shared/messaging/callerScope.ts';
import { discriminatingTags, hasTags, spellTags } from '#shared/messaging/getOrCreate.ts';
import { requireQuota } from '#shared/messaging/quota.ts';
import { storeValue } from '#shared/s3/largeValue.ts';
import { join } from './participants.ts';
import type { GetOrCreateResult } from './users.ts';
import { loadMessage, viewMessage } from './views/message.ts';

type Payload = Record<string, unknown>;

/** What a message is made of. */
export interface MessageInput {
  payload: Payload;
  userId: string;
  conversationId: string;
  type: string;
  tags: Record<string, string | null>;
  schedule?: { dateTime?: string | undefined; delay?: number | undefined } | undefined;
  origin?: 'synthetic' | undefined;
}

/** When a message of elsewhere was said there. */
interface Imported {
  createdAtMs: number;
}

type MessageView = ReturnType<typeof viewMessage>;

/** What has to be known to say something: read at once, or just opened in the same call. */
interface MessageContext {
  conversation: Conversation;
  /** Undefined for the bot, who takes part in all of its conversations. */
  user: User | undefined;
  isParticipant: boolean;
  /** What is made in the same transaction. */
  isNew?: { conversation: boolean; user: boolean };
}

/** A message's place in its conversation, if it is there or will be. */
export interface FoundMessage {
  conversation: Conversation;
  entry: Entry;
  /** It waits for its time. */
  isPostponed: boolean;
}

const keysOfMessage = (botId: string, conversationId: string, position: string): Key[] => [
  conversationKey(botId, conversationId),
  timelineKey(botId, conversationId, position),
  laterKey(botId, conversationId, position),
];

function foundIn([conversationItem, logMessages, postponed]: (Item | undefined)[]): FoundMessage | undefined {
  const conversation = parseConversation(conversationItem);
  const item = logMessages ?? postponed;
  const entry = item && parseEntry(item);
  if (!conversation || entry?.kind !== 'message' || entry.generation !== conversation.generation) return undefined;
  return { conversation, entry, isPostponed: logMessages === undefined };
}

/** One read. @throws ApiError ResourceNotFound when there is no such message for this caller */
export async function requireMessage(scope: CallerScope, id: string): Promise<FoundMessage> {
  const parsed = parseTimelineId('msg', id);
  const found = parsed && foundIn(await readItems(keysOfMessage(scope.botId, parsed.conversationId, parsed.position)));
  if (!found || !canSee(scope, found.conversation)) throw notFound(`The message ${id}`);
  return found;
}

type MessageCall = CallerScope & { nowMs: number };

/** @throws ApiError ResourceNotFound for who or what is not there, QuotaExceeded when the month's messages are used up */
function sceneIn(
  call: MessageCall,
  { conversationId, userId }: Pick<MessageInput, 'conversationId' | 'userId'>,
  [conversationItem, userItem, participantItem, webhookItem]: (Item | undefined)[],
): MessageContext {
  const { botId, installation, nowMs } = call;
  const conversation = parseConversation(conversationItem);
  if (!conversation || !canSee(call, conversation)) throw notFound(`The conversation ${conversationId}`);
  const webhook = webhookItem && parseWebhook(webhookItem);
  if (userId === botId) return { conversation, user: undefined, isParticipant: true };

  const user = parseUser(userItem);
  if (!user || !canSee(call, user)) throw notFound(`The user ${userId}`);
  // What comes in is what a bot is invoked for.
  if (installation && webhook) requireQuota(webhook, nowMs);
  const participant = participantItem && Participant.parse(participantItem);
  return { conversation, user, isParticipant: participant?.generation === conversation.generation };
}

/** What is read of a scene: of the bot's own messages the conversation alone, because each key costs a read unit. */
const keysOfScene = (
  { botId, installation }: CallerScope,
  { conversationId, userId }: Pick<MessageInput, 'conversationId' | 'userId'>,
): Key[] => [
  conversationKey(botId, conversationId),
  ...(userId === botId ? [] : [userKey(botId, userId), participantKey(botId, conversationId, userId)]),
  ...(userId === botId || !installation ? [] : [webhookKey(installation.webhookId)]),
];

function requireConversationId(conversationId: string): void {
  if (!isConversationId(conversationId)) throw notFound(`The conversation ${conversationId}`);
}

/** A new message, whichever others have the same tags: one read, and its writes. */
export async function makeMessage(
  call: MessageCall,
  input: MessageInput,
  options: { imported?: Imported; scene?: MessageContext } = {},
): Promise<GetOrCreateResult<MessageView>> {
  requireConversationId(input.conversationId);
  const tags = storedNames(call, present(input.tags));
  const valueKeys = tagValueKeys(call.botId, 'message', tags);
  const items = await readItems([...valueKeys, ...(options.scene ? [] : keysOfScene(call, input))]);
  const scene = options.scene ?? sceneIn(call, input, items.slice(valueKeys.length));
  const areKnown = items.slice(0, valueKeys.length).map(item => item !== undefined);
  const { entry, writes } = await entryOf(call, input, { scene, tags, areKnown, imported: options.imported });
  return { record: viewMessage(call, input.conversationId, entry, input), isNew: true, writes };
}

/** A message as an entry of the timeline, and all that goes with it. */
async function entryOf(
  call: MessageCall,
  input: MessageInput,
  {
    scene: { conversation, user, isParticipant, isNew },
    tags,
    areKnown,
    imported,
  }: { scene: MessageContext; tags: Tags; areKnown: boolean[]; imported?: Imported | undefined },
): Promise<{ entry: Entry; writes: Write[] }> {
  const { botId, installation, nowMs } = call;
  const dueMs = dueMsOf(input.schedule, nowMs);
  const isPostponed = dueMs !== undefined && dueMs > nowMs;
  const position = imported ? positionAt(imported.createdAtMs) : isPostponed ? positionAt(dueMs) : newPosition();
  const entry: Entry = {
    kind: 'message',
    position,
    userId: input.userId,
    foreignUserId: user?.foreignId,
    generation: conversation.generation,
    payload: await storeValue(botId, input.payload),
    type: input.type,
    direction: installation && user ? 'incoming' : 'outgoing',
    isSynthetic: input.origin === 'synthetic',
    isImported: imported !== undefined,
    tags: Object.keys(tags).length > 0 ? tags : undefined,
  };
  const tagged = taggedMessage(conversation.id, position);
  return {
    entry,
    writes: [
      ...(user && !isParticipant ? join(botId, conversation, user, { nowMs, ...(isNew && { isNew }) }) : []),
      (isPostponed ? postponeEntry : appendEntry)(botId, conversation.id, entry),
      ...(await tagWrites(botId, tagged, tags, areKnown)),
    ],
  };
}

/** The message of this conversation with these tags, or a new one. */
export async function getOrMakeMessage(
  call: MessageCall,
  input: Omit<MessageInput, 'payload'> & { payload?: Payload | undefined; discriminateByTags?: string[] | undefined },
  options: { imported?: Imported; scene?: MessageContext } = {},
): Promise<GetOrCreateResult<MessageView>> {
  const { botId } = call;
  const { conversationId } = input;
  requireConversationId(conversationId);
  const given = present(input.tags);
  const wanted = storedNames(call, discriminatingTags(given, input.discriminateByTags));
  if (Object.keys(wanted).length === 0) return makeMessage(call, withPayload(input), options);

  const tags = storedNames(call, given);
  const claim = messageClaimKey(botId, conversationId, hashText('message by', spellTags(wanted)));
  const [claimItem, ...items] = await readItems([
    claim,
    ...tagValueKeys(botId, 'message', tags),
    ...(options.scene ? [] : keysOfScene(call, input)),
  ]);
  const areKnown = items.slice(0, Object.keys(tags).length).map(item => item !== undefined);
  const scene = options.scene ?? sceneIn(call, input, items.slice(Object.keys(tags).length));
  const isWanted = (entry: Entry | undefined): entry is Entry =>
    entry?.kind === 'message' &&
    entry.generation === scene.conversation.generation &&
    hasTags(entry.tags ?? {}, wanted, input.discriminateByTags === undefined);
  const asFound = async (entry: Entry) => ({
    record: await loadMessage(call, conversationId, entry),
    isNew: false,
    writes: [],
  });

  if (claimItem) {
    const claimed = await claimedEntry(botId, conversationId, claimItem.position);
    if (isWanted(claimed)) return asFound(claimed);
  }
  const isNew = Object.keys(wanted).some(name => !areKnown[Object.keys(tags).indexOf(name)]);
  if (!isNew) {
    const entry = await findTagged(botId, conversationId, wanted, isWanted);
    if (entry) return asFound(entry);
  }
  const { entry, writes } = await entryOf(call, withPayload(input), {
    scene,
    tags,
    areKnown,
    imported: options.imported,
  });
  return {
    record: viewMessage(call, conversationId, entry, { type: input.type, payload: withPayload(input).payload }),
    isNew: true,
    writes: [...writes, putClaim(claim, claimItem, { position: entry.position, g: entry.generation || undefined })],
  };
}

/** @throws ApiError InvalidPayload where a new message has nothing to say */
function withPayload<T extends { payload?: Payload | undefined }>(input: T): T & { payload: Payload } {
  if (!input.payload) throw invalidPayload('A message that is to be created needs it.', 'payload');
  return input as T & { payload: Payload };
}

/** Of callers who come at once one claims the tags. What was claimed for a message that has them no more is claimed anew. */
export const putClaim = (key: Key, before: Item | undefined, claim: Record<string, unknown>): Write => ({
  put: {
    Item: { ...key, ...claim, claimedBy: claim.position ?? claim.id },
    ...(before
      ? { ConditionExpression: 'claimedBy = :before', ExpressionAttributeValues: { ':before': before.claimedBy } }
      : { ConditionExpression: 'attribute_not_exists(pk)' }),
  },
  onRefused: () => new WriteConflict(),
});

async function claimedEntry(botId: string, conversationId: string, position: string): Promise<Entry | undefined> {
  const [logMessages, postponed] = await readItems([
    timelineKey(botId, conversationId, position),
    laterKey(botId, conversationId, position),
  ]);
  const item = logMessages ?? postponed;
  return item && parseEntry(item);
}

const LOADED_AT_ONCE = 25;

/** The newest message of a conversation with some tags, by whatever call it got them. */
async function findTagged(
  botId: string,
  conversationId: string,
  wanted: Tags,
  isWanted: (entry: Entry | undefined) => entry is Entry,
): Promise<Entry | undefined> {
  const range = { direction: 'desc' as const, first: '', last: END };
  const places = listTaggedMessages(botId, conversationId, wanted, range);
  for await (const chunk of inChunks(places, LOADED_AT_ONCE)) {
    const entries = await Promise.all([findEntries(botId, chunk), findPostponed(botId, chunk)]);
    const entry = entries.flat().find(isWanted);
    if (entry) return entry;
  }
  return undefined;
}

/** Who speaks where, of a conversation and a user that were just found or are about to be made. */
export async function sceneOf(
  call: MessageCall,
  conversation: GetOrCreateResult<Conversation>,
  user: GetOrCreateResult<User>,
): Promise<MessageContext> {
  const { botId, installation, nowMs } = call;
  const isNew = { conversation: conversation.isNew, user: user.isNew };
  const [participantItem, webhookItem] = await readItems([
    participantKey(botId, conversation.record.id, user.record.id),
    ...(installation ? [webhookKey(installation.webhookId)] : []),
  ]);
  if (webhookItem) requireQuota(parseWebhook(webhookItem), nowMs);
  const participant = participantItem && Participant.parse(participantItem);
  const isParticipant = participant?.generation === conversation.record.generation;
  return { conversation: conversation.record, user: user.record, isParticipant, isNew };
}
