import type { BotCall } from '#shared/api/operations/platform.ts';
import { present } from '#shared/api/platform/tagInputs.ts';
import { notFound } from '#shared/core/errors.ts';
import { derivedConversationId, isConversationId, newConversationId, resolveConversationId } from '#shared/core/ids.ts';
import { changesOf } from '#shared/core/mapChanges.ts';
import {
  authorOf,
  type CallerScope,
  canSee,
  type InstallationRef,
  installationFor,
  type ScopedCall,
  storedNames,
} from '#shared/domain/messaging/callerScope.ts';
import {
  derivedSlots,
  findTagged,
  foundRecord,
  type GetOrCreateResult,
  getOrCreate,
} from '#shared/domain/messaging/getOrCreate.ts';
import { canonicalTags, matchesTags, mayBeTagged, tagMatchOf } from '#shared/domain/messaging/tagMatch.ts';
import {
  afterTombstone,
  type Conversation,
  type ConversationSlot,
  changeConversation,
  derivedTagsOfConversation,
  findConversation,
  findConversationSlot,
  findConversationSlots,
  findConversations,
  newConversation,
  putNewConversation,
  taggedConversation,
} from '#shared/storage/dynamodb/chat/conversations.ts';
import { type Write, WriteConflict } from '#shared/storage/dynamodb/engine/transaction.ts';
import { tagConditions } from '#shared/storage/dynamodb/tags/tagConditions.ts';
import { type Tags, tagWrites } from '#shared/storage/dynamodb/tags/tags.ts';
import { asIntegrationFault } from './asIntegrationFault.ts';
import { changeTags } from './changeTags.ts';

type Names = Record<string, string | null>;

export interface ConversationInput {
  channel: string;
  tags: Names;
  integrationName?: string | undefined;
  properties?: Names | undefined;
  isHitlSession?: boolean | undefined;
}

const initialConversation = (
  call: ScopedCall,
  id: string,
  ref: InstallationRef,
  input: ConversationInput,
  tags: Tags,
): Conversation =>
  newConversation(
    {
      id,
      ...ref,
      channel: input.channel,
      isHitlSession: input.isHitlSession,
      tags,
      properties: present(input.properties),
    },
    call.nowMs,
  );

const creationWrites = async (botId: string, conversation: Conversation, areKnown?: boolean[]): Promise<Write[]> => [
  // After a concurrent creation with the same id, the retry finds the record.
  { ...putNewConversation(botId, conversation), onRefused: () => new WriteConflict() },
  ...(await tagWrites(botId, taggedConversation(conversation), conversation.tags, areKnown)),
];

export async function createConversation(
  call: ScopedCall,
  input: ConversationInput,
): Promise<GetOrCreateResult<Conversation>> {
  const tags = storedNames(call, present(input.tags));
  const ref = await installationFor(call, input.integrationName);
  const conversation = initialConversation(call, newConversationId(call.nowMs), ref, input, tags);
  return { record: conversation, isNew: true, writes: await creationWrites(call.botId, conversation) };
}

/**
 * Adds the caller's remaining input to a conversation that an integration created.
 * @throws ApiError Runtime if it does not exist
 */
export async function completeConversation(
  call: ScopedCall,
  conversationId: string,
  properties: Names | undefined,
): Promise<Conversation> {
  try {
    return properties === undefined
      ? await requireConversation(call, conversationId)
      : await updateConversation({ ...call, ifMatch: undefined }, conversationId, { properties });
  } catch (error) {
    throw asIntegrationFault(error, 'conversation');
  }
}

export async function getOrCreateConversation(
  call: ScopedCall,
  input: ConversationInput & { discriminateByTags?: string[] | undefined },
): Promise<GetOrCreateResult<Conversation>> {
  const match = tagMatchOf(call, input);
  if (!match) return createConversation(call, input);

  const { botId } = call;
  const { channel } = input;
  const { tags, discriminators } = match;
  const ref = await installationFor(call, input.integrationName);
  const { webhookId, integration } = ref;
  const idOf = (n: number) =>
    derivedConversationId(botId, webhookId, channel, canonicalTags(discriminators), String(n));
  const fid = discriminators[`${integration}:fid`];
  const chatId = fid ? resolveConversationId(webhookId, fid) : undefined;
  const { slots, areKnown } = await findConversationSlots(botId, [idOf(0), ...(chatId ? [chatId] : [])], tags);
  return getOrCreate<Conversation, ConversationSlot, Conversation>({
    candidates: slots.map(({ record }) => record),
    tagged: mayBeTagged(match, areKnown)
      ? findTagged(botId, 'conversation', discriminators, ids => findConversations(botId, ids))
      : undefined,
    slots: derivedSlots(slots[0]!, idOf, id => findConversationSlot(botId, id)),
    matches: conversation =>
      conversation.webhookId === webhookId &&
      conversation.channel === channel &&
      matchesTags(match, conversation.tags, derivedTagsOfConversation(conversation)),
    found: foundRecord,
    create: async ({ id, tombstone }) => {
      const conversation = afterTombstone(initialConversation(call, id, ref, input, tags), tombstone);
      return { record: conversation, isNew: true, writes: await creationWrites(botId, conversation, areKnown) };
    },
  });
}

export async function requireConversation(scope: CallerScope, conversationId: string): Promise<Conversation> {
  const conversation = isConversationId(conversationId)
    ? await findConversation(scope.botId, conversationId)
    : undefined;
  if (!conversation || !canSee(scope, conversation)) throw notFound(`The conversation ${conversationId}`);
  return conversation;
}

export interface ConversationChanges {
  currentTaskId?: string | undefined;
  tags?: Names | undefined;
  properties?: Names | undefined;
}

/**
 * Updates tags and properties key by key.
 * @throws ApiError ResourceNotFound, InvalidPayload, ResourceLockedConflict if `If-Match` names another version
 */
export async function updateConversation(
  call: ScopedCall & Pick<BotCall<unknown>, 'ifMatch'>,
  conversationId: string,
  input: ConversationChanges,
): Promise<Conversation> {
  const { botId, nowMs } = call;
  const before = await requireConversation(call, conversationId);
  const about = { tagged: taggedConversation(before), derived: derivedTagsOfConversation(before) };
  const { tags, ifVersion } = await changeTags(call, before, about, input.tags);
  const properties = changesOf(input.properties ?? {}, before.properties, { name: 'properties' });
  return changeConversation(
    botId,
    before,
    {
      fields: { currentTaskId: input.currentTaskId, by: authorOf(call) },
      maps: { tags: tags.changes, properties: properties.changes },
      ...tagConditions({ tags, properties }),
      ifVersion,
    },
    {
      nowMs,
      onRefused: existing => (existing ? new WriteConflict() : notFound(`The conversation ${conversationId}`)),
    },
  );
}
