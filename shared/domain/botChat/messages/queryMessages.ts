import type { BotCall } from '#shared/api/operations/platform.ts';
import { requireConversation } from '#shared/domain/botChat/botChatConversations.ts';
import { type CallerScope, canSee, storedNames } from '#shared/domain/messaging/callerScope.ts';
import { hasTags } from '#shared/domain/messaging/tagMatch.ts';
import {
  type Conversation,
  conversationSortKey,
  findConversations,
  listConversations,
} from '#shared/storage/dynamodb/chat/conversations.ts';
import type { Entry } from '#shared/storage/dynamodb/chat/entry.ts';
import { findEntries, listMessages } from '#shared/storage/dynamodb/chat/timeline.ts';
import { sizeOf } from '#shared/storage/dynamodb/engine/largeValue.ts';
import { END, inChunks, PAGE_BYTES, timeRange } from '#shared/storage/dynamodb/lists/lists.ts';
import { listTaggedMessages } from '#shared/storage/dynamodb/tags/tagLookup.ts';
import type { Tags } from '#shared/storage/dynamodb/tags/tags.ts';

export interface MessageFilters {
  conversationId?: string | undefined;
  tags?: Tags | undefined;
  afterDate?: number | undefined;
  beforeDate?: number | undefined;
}

interface Message {
  conversationId: string;
  entry: Entry;
}
interface Page {
  messages: Message[];
  next?: string | undefined;
}
type ListCall = CallerScope & Pick<BotCall<unknown>, 'pageStart'>;

const positionsBetween = ({ afterDate, beforeDate }: MessageFilters) => {
  const { first, last } = timeRange(afterDate, beforeDate);
  return { first, last: last === END ? undefined : last };
};

/**
 * Returns a page of messages, newest first. A bot's messages are grouped by conversation, newest conversation first.
 * @throws ApiError ResourceNotFound for the conversation
 */
export async function queryMessages(call: ListCall, filters: MessageFilters, pageSize: number): Promise<Page> {
  if (filters.tags && Object.keys(filters.tags).length > 0) return pageOfTagged(call, filters, pageSize);
  return filters.conversationId === undefined
    ? pageOfBot(call, filters, pageSize)
    : pageOfConversation(call, filters.conversationId, filters, pageSize);
}

async function pageOfConversation(call: ListCall, id: string, filters: MessageFilters, limit: number): Promise<Page> {
  const reading = requireConversation(call, id);
  const page = listMessages(call.botId, id, {
    before: call.pageStart,
    limit,
    ...positionsBetween(filters),
    generation: async () => (await reading).generation,
  });
  // Reports a missing conversation instead of any other failure.
  page.catch(() => {});
  await reading;
  const { entries, next } = await page;
  return { messages: entries.map(entry => ({ conversationId: id, entry })), next };
}

const LOAD_BATCH = 25;
/** Limit of reads, because filtered messages do not fill the page. Beyond it, the page ends early with a token. */
const LOADED_LIMIT = 500;

async function pageOfTagged(call: ListCall, filters: MessageFilters, pageSize: number): Promise<Page> {
  const { botId, pageStart } = call;
  const { conversationId, afterDate, beforeDate } = filters;
  if (conversationId !== undefined) await requireConversation(call, conversationId);
  const tags = storedNames(call, filters.tags!);
  const range = { direction: 'desc' as const, ...timeRange(afterDate, beforeDate), after: pageStart };
  const messages: Message[] = [];
  let bytes = 0;
  let loaded = 0;
  let last: string | undefined;
  for await (const chunk of inChunks(listTaggedMessages(botId, conversationId, tags, range), LOAD_BATCH)) {
    const ids = [...new Set(chunk.map(ref => ref.conversationId))];
    const [entries, conversations] = await Promise.all([findEntries(botId, chunk), findConversations(botId, ids)]);
    for (const [i, ref] of chunk.entries()) {
      const entry = entries[i];
      const conversation = conversations[ids.indexOf(ref.conversationId)];
      if (entry?.kind === 'message' && isVisible(call, conversation, entry) && hasTags(entry.tags ?? {}, tags)) {
        bytes += sizeOf(entry.payload!);
        const isFull = messages.length === pageSize || (messages.length > 0 && bytes > PAGE_BYTES);
        if (isFull) return { messages, next: last };
        messages.push({ conversationId: ref.conversationId, entry });
      }
      last = ref.sortKey;
    }
    loaded += chunk.length;
    if (loaded >= LOADED_LIMIT) return { messages, next: last };
  }
  return { messages };
}

const isVisible = (call: CallerScope, conversation: Conversation | undefined, entry: Entry): boolean =>
  conversation !== undefined && canSee(call, conversation) && conversation.generation === entry.generation;

/** Limit of reads, because conversations may have no matching message. Beyond it, the page ends early with a token. */
const CONVERSATIONS_LIMIT = 50;

/**
 * Lists all messages of a bot. A dedicated list would double the cost of every message, so this iterates over the
 * conversations and their timelines. The token is `<conversation's sort key>|<position>`.
 */
async function pageOfBot(call: ListCall, filters: MessageFilters, pageSize: number): Promise<Page> {
  const { botId, pageStart } = call;
  const [startKey, before] = pageStart?.split('|') ?? [];
  const messages: Message[] = [];
  let bytes = 0;
  let walked = 0;
  const range = { direction: 'desc' as const, first: '', last: startKey ?? END };
  for await (const { sortKey, record: conversation } of listConversations(botId, 'createdAt', range)) {
    if (conversation && canSee(call, conversation)) {
      const page = await listMessages(botId, conversation.id, {
        before: sortKey === startKey && before ? before : undefined,
        limit: pageSize - messages.length,
        ...positionsBetween(filters),
        generation: async () => conversation.generation,
      });
      messages.push(...page.entries.map(entry => ({ conversationId: conversation.id, entry })));
      bytes += page.entries.reduce((sum, { payload }) => sum + sizeOf(payload!), 0);
      const startOfNext = conversationSortKey(conversation, 'createdAt');
      if (page.next !== undefined) return { messages, next: `${startOfNext}|${page.next}` };
      const isFull = messages.length === pageSize || (bytes > PAGE_BYTES && messages.length > 0);
      if (isFull) return { messages, next: `${startOfNext}|${messages.at(-1)!.entry.position}` };
    }
    if (++walked === CONVERSATIONS_LIMIT) return { messages, next: `${sortKey}|${END_OF_CONVERSATION}` };
  }
  return { messages };
}

/** Sorts before every position. */
const END_OF_CONVERSATION = '0';
