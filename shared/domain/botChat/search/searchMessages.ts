/**
 * Finds a text in messages without an index, which would cost 10 to 30 writes per message. Searches the latest messages
 * of the conversations with the latest activity.
 */
import { mapConcurrently } from '#shared/core/concurrency.ts';
import { endOf, startOf } from '#shared/core/excerpt.ts';
import { findFolded, foldText } from '#shared/core/foldText.ts';
import { textsOf } from '#shared/domain/botChat/handoffs/handoffPreviews.ts';
import {
  type Conversation,
  findConversationsOfBots,
  listConversationIdsOfBots,
} from '#shared/storage/dynamodb/chat/conversations.ts';
import type { Entry } from '#shared/storage/dynamodb/chat/entry.ts';
import { listMessages } from '#shared/storage/dynamodb/chat/timeline.ts';
import { inChunks } from '#shared/storage/dynamodb/lists/lists.ts';

/** Latest messages of a conversation that are searched. */
const MESSAGES = 100;
/** Conversations of one call. They cost about 5 read units each. */
const MAX_CONVERSATIONS = 200;
const READ_TOGETHER = 20;
const CONCURRENT_QUERIES = 10;

const CONTEXT_CHARACTERS = 60;

interface Excerpt {
  before: string;
  match: string;
  after: string;
}

interface FoundMessage {
  botId: string;
  conversation: Conversation;
  entry: Entry;
  type: string;
  excerpt: Excerpt;
}

interface Found {
  messages: FoundMessage[];
  searched: number;
  /** Activity of the last conversation that was searched. */
  searchedToMs?: number | undefined;
  next?: string | undefined;
}

/** Returns the latest match of each conversation. Ends at `pageSize`, at the limit, or when the time is up. */
export async function searchMessages(
  botIds: readonly string[],
  query: string,
  { pageSize, after, isTimeLeft }: { pageSize: number; after: string | undefined; isTimeLeft: () => boolean },
): Promise<Found> {
  const wanted = foldText(query.trim());
  const messages: FoundMessage[] = [];
  let searched = 0;
  let searchedToMs: number | undefined;
  for await (const refs of inChunks(listConversationIdsOfBots(botIds, after), READ_TOGETHER)) {
    const conversations = await findConversationsOfBots(refs);
    const found = await mapConcurrently(refs, CONCURRENT_QUERIES, ({ botId }, i) => {
      const conversation = conversations[i];
      return conversation ? searchConversation(botId, conversation, wanted) : Promise.resolve(undefined);
    });
    for (const [i, { sortKey }] of refs.entries()) {
      if (found[i]) messages.push(found[i]);
      searched++;
      searchedToMs = conversations[i]?.updatedAtMs ?? searchedToMs;
      if (messages.length === pageSize || searched === MAX_CONVERSATIONS)
        return { messages, searched, searchedToMs, next: sortKey };
    }
    const isLast = refs.length < READ_TOGETHER;
    if (!isLast && !isTimeLeft()) return { messages, searched, searchedToMs, next: refs.at(-1)!.sortKey };
  }
  return { messages, searched, searchedToMs };
}

async function searchConversation(
  botId: string,
  conversation: Conversation,
  wanted: string,
): Promise<FoundMessage | undefined> {
  const { id, generation } = conversation;
  const { entries } = await listMessages(botId, id, {
    limit: MESSAGES,
    generation: async () => generation,
    isConsistent: false,
  });
  for (const entry of entries) {
    const { type, texts } = await textsOf(entry);
    for (const text of texts) {
      const excerpt = excerptOf(text, wanted);
      if (excerpt) return { botId, conversation, entry, type, excerpt };
    }
  }
  return undefined;
}

function excerptOf(text: string, wanted: string): Excerpt | undefined {
  const place = findFolded(text, wanted);
  if (!place) return undefined;
  const [before, after] = [text.slice(0, place.start), text.slice(place.end)];
  return {
    before: before.length > CONTEXT_CHARACTERS ? `…${endOf(before, CONTEXT_CHARACTERS)}` : before,
    match: text.slice(place.start, place.end),
    after: after.length > CONTEXT_CHARACTERS ? `${startOf(after, CONTEXT_CHARACTERS)}…` : after,
  };
}
