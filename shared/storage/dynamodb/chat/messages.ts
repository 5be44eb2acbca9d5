import { type Item, readItems } from '#shared/storage/dynamodb/engine/query.ts';
import {
  conversationKey,
  laterKey,
  participantKey,
  timelineKey,
  userKey,
  webhookKey,
} from '#shared/storage/dynamodb/keys/chat.ts';
import type { Key } from '#shared/storage/dynamodb/keys/table.ts';
import { type Tags, tagValueKeys } from '#shared/storage/dynamodb/tags/tags.ts';
import { type Claim, claimFrom } from './claims.ts';
import { type Conversation, parseConversation } from './conversations.ts';
import { type Entry, parseEntry } from './entry.ts';
import { Participant } from './participants.ts';
import type { EntryRef } from './timeline.ts';
import { parseUser, type User } from './users.ts';
import { type PublicWebhook, parseWebhook } from './webhooks.ts';

const entryKeys = (botId: string, { conversationId, position }: EntryRef): Key[] => [
  timelineKey(botId, conversationId, position),
  laterKey(botId, conversationId, position),
];

export async function findEntryOrPostponed(botId: string, ref: EntryRef): Promise<Entry | undefined> {
  const [appended, postponed] = await readItems(entryKeys(botId, ref));
  const item = appended ?? postponed;
  return item && parseEntry(item);
}

export interface FoundMessage {
  conversation: Conversation;
  entry: Entry;
  isPostponed: boolean;
}

export async function findMessage(botId: string, ref: EntryRef): Promise<FoundMessage | undefined> {
  const [conversationItem, appended, postponed] = await readItems([
    conversationKey(botId, ref.conversationId),
    ...entryKeys(botId, ref),
  ]);
  const conversation = parseConversation(conversationItem);
  const item = appended ?? postponed;
  const entry = item && parseEntry(item);
  if (!conversation || entry?.kind !== 'message' || entry.generation !== conversation.generation) return undefined;
  return { conversation, entry, isPostponed: appended === undefined };
}

/** Parties of a message. The bot's own messages have no user. The webhook is undefined if no quota applies. */
export interface Parties {
  conversationId: string;
  userId?: string | undefined;
  webhookId?: string | undefined;
}

export interface FoundParties {
  conversation: Conversation | undefined;
  user: User | undefined;
  participant: Participant | undefined;
  webhook: PublicWebhook | undefined;
}

const partyKeys = (botId: string, { conversationId, userId, webhookId }: Parties): Key[] => [
  conversationKey(botId, conversationId),
  ...(userId === undefined ? [] : [userKey(botId, userId), participantKey(botId, conversationId, userId)]),
  ...(webhookId === undefined ? [] : [webhookKey(webhookId)]),
];

function parseParties({ userId }: Parties, items: (Item | undefined)[]): FoundParties {
  const [conversation, ...others] = items;
  const [user, participant, webhook] = userId === undefined ? [undefined, undefined, ...others] : others;
  return {
    conversation: parseConversation(conversation),
    user: parseUser(user),
    participant: participant && Participant.parse(participant),
    webhook: webhook && parseWebhook(webhook),
  };
}

/** Reads the dependencies of a new message. `areKnown` is true for each tag whose value was ever used. */
export async function findForNewMessage(
  botId: string,
  { parties, tags, claim }: { parties: Parties | undefined; tags: Tags; claim?: Key | undefined },
): Promise<{ parties: FoundParties | undefined; areKnown: boolean[]; claim: Claim | undefined }> {
  const valueKeys = tagValueKeys(botId, 'message', tags);
  const items = await readItems([
    ...valueKeys,
    ...(claim ? [claim] : []),
    ...(parties ? partyKeys(botId, parties) : []),
  ]);
  const areKnown = items.splice(0, valueKeys.length).map(item => item !== undefined);
  return {
    areKnown,
    claim: claim && claimFrom(claim, items.shift()),
    parties: parties && parseParties(parties, items),
  };
}

export async function findUserAndParticipant(
  botId: string,
  { conversationId, userId }: { conversationId: string; userId: string },
): Promise<Pick<FoundParties, 'user' | 'participant'>> {
  const [user, participant] = await readItems([userKey(botId, userId), participantKey(botId, conversationId, userId)]);
  return { user: parseUser(user), participant: participant && Participant.parse(participant) };
}

export async function findEntryAndParticipant(
  botId: string,
  { conversationId, position }: EntryRef,
  userId: string,
): Promise<{ entry: Entry | undefined; participant: Participant | undefined }> {
  const [entry, participant] = await readItems([
    timelineKey(botId, conversationId, position),
    participantKey(botId, conversationId, userId),
  ]);
  return { entry: entry && parseEntry(entry), participant: participant && Participant.parse(participant) };
}

export async function findParticipantAndWebhook(
  botId: string,
  { conversationId, userId, webhookId }: Parties & { userId: string },
): Promise<Pick<FoundParties, 'participant' | 'webhook'>> {
  const [participant, webhook] = await readItems([
    participantKey(botId, conversationId, userId),
    ...(webhookId === undefined ? [] : [webhookKey(webhookId)]),
  ]);
  return {
    participant: participant && Participant.parse(participant),
    webhook: webhook && parseWebhook(webhook),
  };
}
