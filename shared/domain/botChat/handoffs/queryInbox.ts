/** Pages of the inbox of a workspace: the handoffs of several bots, merged into one list. */
import type { BotCall } from '#shared/api/operations/platform.ts';
import { mapConcurrently } from '#shared/core/concurrency.ts';
import { isConversationId, isUuid } from '#shared/core/ids.ts';
import { findBots, listBotIds } from '#shared/storage/dynamodb/bots/bots.ts';
import { findConversations } from '#shared/storage/dynamodb/chat/conversations.ts';
import {
  countHandoffs,
  type HandoffFilters,
  listHandoffEntries,
  readHandoffsOfBots,
} from '#shared/storage/dynamodb/chat/handoffLists.ts';
import { findLatestHandoffs, type Handoff } from '#shared/storage/dynamodb/chat/handoffs.ts';
import { MAX_WATCHED_BOTS } from '#shared/storage/dynamodb/connections/connections.ts';
import type { Direction } from '#shared/storage/dynamodb/lists/lists.ts';
import { findPreviews } from './handoffPreviews.ts';
import { viewHandoff } from './handoffView.ts';
import { matches, pageOfEntries, rangeFrom } from './queryHandoffs.ts';

/** Number of bots whose handoffs one list contains. Each costs one query. Connections watch as many. */
const MAX_INBOX_BOTS = MAX_WATCHED_BOTS;

/** Queries of one call that run concurrently. The client of DynamoDB has 50 connections. */
const CONCURRENT_QUERIES = 50;

export interface OfBot {
  botId: string;
  handoff: Handoff;
}

/**
 * Returns the ids that name bots of the workspace. Without ids, returns the bots that were updated last, or all bots of
 * an agent who is limited to bots. Ids of other bots are omitted, as the bot of an open list may be deleted or
 * transferred. `isPartial` is true if the workspace has more bots.
 */
export async function inboxBots(
  { workspaceId, botLimit }: Pick<BotCall<unknown>, 'workspaceId' | 'botLimit'>,
  asked?: readonly string[] | undefined,
): Promise<{ botIds: string[]; isPartial: boolean }> {
  const wanted = botLimit ? (asked ?? botLimit).filter(id => botLimit.includes(id)) : asked;
  if (wanted === undefined) {
    const botIds = await listBotIds(workspaceId, MAX_INBOX_BOTS + 1);
    return { botIds: botIds.slice(0, MAX_INBOX_BOTS), isPartial: botIds.length > MAX_INBOX_BOTS };
  }
  const bots = await findBots([...new Set(wanted)].filter(isUuid));
  const own = bots.filter(bot => bot.workspaceId === workspaceId && bot.deletedAtMs === undefined);
  return { botIds: own.map(({ id }) => id), isPartial: false };
}

export interface InboxPage {
  handoffs: OfBot[];
  next?: string | undefined;
}

export interface InboxOptions {
  pageSize: number;
  direction: Direction;
  after: string | undefined;
}

export async function queryInbox(
  botIds: readonly string[],
  filters: readonly HandoffFilters[],
  { pageSize, direction, after }: InboxOptions,
): Promise<InboxPage> {
  const list = listHandoffEntries(botIds, filters, rangeFrom(direction, after));
  const { entries, next } = await pageOfEntries(list, pageSize);
  const found = await readHandoffsOfBots(entries);
  return { handoffs: found.filter(({ handoff }) => filters.some(each => matches(handoff, each))), next };
}

/** Returns the latest handoff of each conversation, whatever its status. */
export async function latestHandoffs(botId: string, conversationIds: readonly string[]): Promise<OfBot[]> {
  const conversations = await findConversations(botId, conversationIds.filter(isConversationId));
  const found = await findLatestHandoffs(
    botId,
    conversations.filter(each => each !== undefined),
  );
  return found.map(handoff => ({ botId, handoff }));
}

/** Adds to each handoff its bot, the user who wrote last and the latest message. In order. */
export async function viewInbox(handoffs: readonly OfBot[]) {
  const byBot = Map.groupBy(handoffs, ({ botId }) => botId);
  const previews = new Map(
    (
      await mapConcurrently([...byBot], CONCURRENT_QUERIES, async ([botId, own]) => {
        const found = await findPreviews(
          botId,
          own.map(({ handoff }) => handoff),
        );
        return own.map(({ handoff }, i) => [handoff.id, found[i]] as const);
      })
    ).flat(),
  );
  return handoffs.map(({ botId, handoff }) => ({
    ...viewHandoff(handoff),
    botId,
    preview: previews.get(handoff.id),
  }));
}

/** Counts the handoffs of each filter in all bots, each up to `limit`. */
export async function countInbox(
  botIds: readonly string[],
  filters: readonly HandoffFilters[],
  limit: number,
): Promise<number[]> {
  const queries = filters.flatMap((_, filter) => botIds.map(botId => ({ filter, botId })));
  const counts = await mapConcurrently(queries, CONCURRENT_QUERIES, ({ filter, botId }) =>
    countHandoffs(botId, filters[filter]!, limit),
  );
  return filters.map((_, filter) => {
    const own = counts.filter((_, i) => queries[i]!.filter === filter);
    return Math.min(
      limit,
      own.reduce((sum, count) => sum + count, 0),
    );
  });
}
