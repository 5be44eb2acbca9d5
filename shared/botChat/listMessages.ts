/** Lists of messages: of a conversation, with some tags, or all of a bot. */
import type { BotCall } from '#shared/api/platform/operation.ts';
import { type Conversation, findConversations, parseConversation } from '#shared/dynamodb/chat/conversations.ts';
import { type Entry, findEntries, listMessages as listOfConversation } from '#shared/dynamodb/chat/timeline.ts';
import { timedSk } from '#shared/dynamodb/keys/lists.ts';
import { botList, END, inChunks, PAGE_BYTES, timeRange } from '#shared/dynamodb/lists.ts';
import { listTaggedMessages, type Tags } from '#shared/dynamodb/tags.ts';
import { type CallerScope, canSee, storedNames } from '#shared/messaging/callerScope.ts';
import { hasTags } from '#shared/messaging/getOrCreate.ts';
import { sizeOf } from '#shared/s3/largeValue.ts';
import { requireConversation } from './conversations.ts';

export interface MessageFilters {
  conversationId?: string | undefined;
  tags?: Tags | undefined;
  /** Milliseconds. */
  afterDate?: number | undefined;
  beforeDate?: number | undefined;
}

type Message = { conversationId: string; entry: Entry };
type Page = { messages: Message[]; next?: string | undefined };
type ListCall = CallerScope & Pick<BotCall<unknown>, 'pageStart'>;

/** The positions between two times, both included. */
const positions = ({ afterDate, beforeDate }: MessageFilters) => {
  const { first, last } = timeRange(afterDate, beforeDate);
  return { first, last: last === END ? undefined : last };
};

/** A page of messages, newest first; of a whole bot conversation by conversation, the newest conversation first. */
export async function listMessages(call: ListCall, filters: MessageFilters, pageSize: number): Promise<Page> {
  if (filters.tags && Object.keys(filters.tags).length > 0) return withTags(call, filters, pageSize);
  return filters.conversationId === undefined
    ? ofBot(call, filters, pageSize)
    : ofConversation(call, filters.conversationId, filters, pageSize);
}

async function ofConversation(call: ListCall, id: string, filters: MessageFilters, limit: number): Promise<Page> {
  const reading = requireConversation(call, id);
  const page = listOfConversation(call.botId, id, {
    before: call.pageStart,
    limit,
    ...positions(filters),
    generation: async () => (await reading).generation,
  });
  // Whoever asks for what is not there is told that, whatever else fails.
  page.catch(() => {});
  await reading;
  const { entries, next } = await page;
  return { messages: entries.map(entry => ({ conversationId: id, entry })), next };
}

const TOGETHER = 25;
/** What a filter passes over costs reads and shows nothing. */
const LOOKED_AT = 500;

async function withTags(call: ListCall, filters: MessageFilters, pageSize: number): Promise<Page> {
  const { botId, pageStart } = call;
  const { conversationId, afterDate, beforeDate } = filters;
  if (conversationId !== undefined) await requireConversation(call, conversationId);
  const tags = storedNames(call, filters.tags!);
  const range = { direction: 'desc' as const, ...timeRange(afterDate, beforeDate), after: pageStart };
  const messages: Message[] = [];
  let bytes = 0;
  let lookedAt = 0;
  let last: string | undefined;
  for await (const chunk of inChunks(listTaggedMessages(botId, conversationId, tags, range), TOGETHER)) {
    const ids = [...new Set(chunk.map(each => each.conversationId))];
    const [entries, conversations] = await Promise.all([findEntries(botId, chunk), findConversations(botId, ids)]);
    for (const [i, { sortKey, conversationId: of }] of chunk.entries()) {
      const entry = entries[i];
      const conversation = conversations[ids.indexOf(of)];
      if (entry?.kind === 'message' && isHere(call, conversation, entry) && hasTags(entry.tags ?? {}, tags, false)) {
        bytes += sizeOf(entry.payload!);
        if (messages.length === pageSize || (messages.length > 0 && bytes > PAGE_BYTES))
          return { messages, next: last };
        messages.push({ conversationId: of, entry });
      }
      last = sortKey;
    }
    lookedAt += chunk.length;
    if (lookedAt >= LOOKED_AT) return { messages, next: last };
  }
  return { messages };
}

const isHere = (call: CallerScope, conversation: Conversation | undefined, entry: Entry): boolean =>
  conversation !== undefined && canSee(call, conversation) && conversation.generation === entry.generation;

/** Conversations without messages cost a read each. */
const CONVERSATIONS_A_PAGE = 50;

/**
 * All messages of a bot. There is no list of them, because it would double the price of every message: the conversations
 * are listed, and the timeline of each.
 */
async function ofBot(call: ListCall, filters: MessageFilters, pageSize: number): Promise<Page> {
  const { botId, pageStart } = call;
  const [conversationPlace, before] = pageStart?.split('|') ?? [];
  const messages: Message[] = [];
  let bytes = 0;
  let lookedAt = 0;
  // The conversation that the page before ended in is looked at again.
  const list = botList(botId, 'conversations', 'gsi1', {
    direction: 'desc',
    first: '',
    last: conversationPlace ?? END,
  });
  for await (const { sortKey, item } of list) {
    const conversation = parseConversation(item);
    if (conversation && canSee(call, conversation)) {
      const page = await listOfConversation(botId, conversation.id, {
        before: sortKey === conversationPlace && before ? before : undefined,
        limit: pageSize - messages.length,
        ...positions(filters),
        generation: async () => conversation.generation,
      });
      messages.push(...page.entries.map(entry => ({ conversationId: conversation.id, entry })));
      bytes += page.entries.reduce((sum, { payload }) => sum + sizeOf(payload!), 0);
      if (page.next !== undefined) return { messages, next: `${placeOf(conversation)}|${page.next}` };
      if (messages.length === pageSize || (bytes > PAGE_BYTES && messages.length > 0))
        return { messages, next: `${placeOf(conversation)}|${messages.at(-1)!.entry.position}` };
    }
    if (++lookedAt === CONVERSATIONS_A_PAGE) return { messages, next: `${sortKey}|${END_OF_CONVERSATION}` };
  }
  return { messages };
}
/** Before every position. */
const END_OF_CONVERSATION = '0';
const placeOf = ({ createdAtMs, id }: Conversation) => timedSk(createdAtMs, id);
