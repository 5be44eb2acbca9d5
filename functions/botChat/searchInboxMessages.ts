import * as z from 'zod/mini';
import { ok } from '#shared/api/operation.ts';
import { botChatOperation } from '#shared/api/operations/platform.ts';
import { DEFAULT_PAGE_SIZE, oneOrMore, pageQuery } from '#shared/api/platform/queryInputs.ts';
import { dateTime, iso, meta } from '#shared/api/views.ts';
import { clock } from '#shared/core/clock.ts';
import { timelineId } from '#shared/core/ids.ts';
import { text } from '#shared/core/text.ts';
import { kindOfAuthor } from '#shared/domain/botChat/handoffs/handoffPreviews.ts';
import { inboxBots } from '#shared/domain/botChat/handoffs/queryInbox.ts';
import { searchText } from '#shared/domain/botChat/search/searchInputs.ts';
import { searchMessages } from '#shared/domain/botChat/search/searchMessages.ts';
import { FoundConversation, viewFound } from '#shared/domain/botChat/search/searchViews.ts';
import { createdAtMs } from '#shared/storage/dynamodb/chat/entry.ts';

/** Leaves time for the response within the limit of the gateway. */
const MAX_MS = 8_000;

export const searchInboxMessages = botChatOperation({
  name: 'searchInboxMessages',
  summary:
    'Finds a text in the latest 100 messages of conversations of up to 100 bots of the workspace, newest activity first. Searches up to 200 conversations per call, and continues with a token.',
  scope: 'account',
  method: 'GET',
  path: '/chat/inbox/search/messages',
  table: 'reads',
  largeValues: 'reads',
  partitions: { reads: ['workspaces', 'workspaceLists'] },
  query: z.object({ ...pageQuery, query: searchText(), botIds: z.optional(oneOrMore(text(200))) }),
  output: z.object({
    results: z.array(
      z.object({
        botId: z.string(),
        conversation: FoundConversation,
        message: z.object({
          id: z.string(),
          createdAt: dateTime(),
          author: z.enum(['user', 'bot', 'member']),
          userId: z.string(),
          type: z.string(),
        }),
        excerpt: z.object({ before: z.string(), match: z.string(), after: z.string() }),
      }),
    ),
    searched: z.object({ conversations: z.number(), to: z.optional(dateTime()) }),
    isPartial: z.boolean(),
    meta,
  }),
  statuses: [200],

  handle: async call => {
    const { query, pageSize = DEFAULT_PAGE_SIZE, botIds: wanted } = call.input;
    const untilMs = clock.now() + MAX_MS;
    const { botIds, isPartial } = await inboxBots(call, wanted);
    const isTimeLeft = () => clock.now() < untilMs;
    const found = await searchMessages(botIds, query, { pageSize, after: call.pageStart, isTimeLeft });
    const conversations = await viewFound(found.messages);
    const results = found.messages.map(({ botId, conversation: { id, isHitlSession }, entry, type, excerpt }, i) => ({
      botId,
      conversation: conversations[i]!,
      message: {
        id: timelineId('msg', id, entry.position),
        createdAt: iso(createdAtMs(entry)),
        author: kindOfAuthor(botId, entry, isHitlSession),
        userId: entry.userId,
        type,
      },
      excerpt,
    }));
    const { searched, searchedToMs, next } = found;
    return ok({
      results,
      searched: { conversations: searched, ...(searchedToMs === undefined ? {} : { to: iso(searchedToMs) }) },
      isPartial,
      meta: next === undefined ? {} : { nextToken: call.nextToken(next) },
    });
  },
});
