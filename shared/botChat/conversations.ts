/** Conversations, as the bot-level operations find, make and change them. */

import { present } from '#shared/api/platform/inputs.ts';
import type { BotCall } from '#shared/api/platform/operation.ts';
import { requireVersion } from '#shared/api/platform/requireVersion.ts';
import {
  type Conversation,
  changeConversation,
  derivedTagsOfConversation,
  findConversation,
  newConversation,
  parseConversation,
  putNewConversation,
  taggedConversation,
} from '#shared/dynamodb/chat/conversations.ts';
import { conversationKey } from '#shared/dynamodb/keys/chat.ts';
import type { Item } from '#shared/dynamodb/query.ts';
import { tagConditions } from '#shared/dynamodb/tagConditions.ts';
import { type Tags, tagWrites } from '#shared/dynamodb/tags.ts';
import { type Write, WriteConflict, write } from '#shared/dynamodb/transaction.ts';
import { notFound } from '#shared/errors.ts';
import { derivedConversationId, isConversationId, newConversationId, resolveConversationId } from '#shared/ids.ts';
import { changesOf } from '#shared/mapChanges.ts';
import { type CallerScope, canSee, installationFor, storedNames } from '#shared/messaging/callerScope.ts';
import { canonicalTags, discriminatingTags, findByTags, hasTags } from '#shared/messaging/getOrCreate.ts';
import type { GetOrCreateResult } from './users.ts';

type Names = Record<string, string | null>;

/** What a conversation is created with. */
export interface ConversationInput {
  channel: string;
  tags: Names;
  integrationName?: string | undefined;
  properties?: Names | undefined;
}

const startOf = (id: string, scope: CallerScope, input: ConversationInput, tags: Tags, nowMs: number): Conversation =>
  newConversation(
    {
      id,
      ...installationFor(scope, input.integrationName),
      channel: input.channel,
      tags,
      properties: present(input.properties),
    },
    nowMs,
  );

const writesOf = async (botId: string, conversation: Conversation, areKnown?: boolean[]): Promise<Write[]> => [
  // Whoever came first made it: run again, and find it.
  { ...putNewConversation(botId, conversation), onRefused: () => new WriteConflict() },
  ...(await tagWrites(botId, taggedConversation(conversation), conversation.tags, areKnown)),
];

/** A new conversation, whichever others have the same tags. */
export async function makeConversation(
  call: CallerScope & { nowMs: number },
  input: ConversationInput,
): Promise<GetOrCreateResult<Conversation>> {
  const tags = storedNames(call, present(input.tags));
  const conversation = startOf(newConversationId(call.nowMs), call, input, tags, call.nowMs);
  return { record: conversation, isNew: true, writes: await writesOf(call.botId, conversation) };
}

/** The conversation of this channel with these tags, or a new one. */
export async function getOrMakeConversation(
  call: CallerScope & { nowMs: number },
  input: ConversationInput & { discriminateByTags?: string[] | undefined },
): Promise<GetOrCreateResult<Conversation>> {
  const given = present(input.tags);
  const wanted = storedNames(call, discriminatingTags(given, input.discriminateByTags));
  if (Object.keys(wanted).length === 0) return makeConversation(call, input);

  const { botId, nowMs } = call;
  const { channel } = input;
  const tags = storedNames(call, given);
  const { webhookId, integration } = installationFor(call, input.integrationName);
  const fid = wanted[`${integration}:fid`];
  const found = await findByTags<Conversation>(
    botId,
    'conversation',
    { tags, wanted },
    {
      idOf: n => derivedConversationId(botId, webhookId, channel, canonicalTags(wanted), String(n)),
      chatId: fid && resolveConversationId(webhookId, fid),
      keyOf: id => conversationKey(botId, id),
      parse: parseConversation,
      isWanted: each =>
        each.webhookId === webhookId &&
        each.channel === channel &&
        hasTags(each.tags, wanted, input.discriminateByTags === undefined, derivedTagsOfConversation(each)),
    },
  );
  if (found.record) return { record: found.record, isNew: false, writes: [] };
  const conversation = { ...startOf(found.id, call, input, tags, nowMs), ...nextLife(found.remains) };
  return { record: conversation, isNew: true, writes: await writesOf(botId, conversation, found.areKnown) };
}

/** What a conversation takes over from a deleted one with the same id. */
const nextLife = (remains: Item | undefined): Partial<Conversation> =>
  remains ? { generation: remains.generation + 1, countedTo: remains.countedTo } : {};

/** @throws ApiError ResourceNotFound when there is no such conversation for this caller */
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

/** Changes a conversation, tag by tag. @throws ApiError ResourceLockedConflict when it is no more the version of `If-Match` */
export async function updateConversation(
  call: Pick<BotCall<unknown>, 'ifMatch' | 'nowMs'> & CallerScope,
  conversationId: string,
  input: ConversationChanges,
): Promise<Conversation> {
  const { botId, nowMs, ifMatch } = call;
  const before = await requireConversation(call, conversationId);
  const ifVersion = requireVersion(ifMatch, before.version);
  const tags = changesOf(storedNames(call, input.tags ?? {}), before.tags, {
    name: 'tags',
    derived: derivedTagsOfConversation(before),
  });
  // The entries come first: one without its tag does no harm, a tag without its entry would not be found.
  await write(await tagWrites(botId, taggedConversation(before), tags.added));
  const properties = changesOf(input.properties ?? {}, before.properties, { name: 'properties' });
  return changeConversation(
    botId,
    before,
    {
      fields: { currentTaskId: input.currentTaskId },
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
