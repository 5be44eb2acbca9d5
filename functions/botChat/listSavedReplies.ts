import * as z from 'zod/mini';
import { ok } from '#shared/api/operation.ts';
import { botChatOperation } from '#shared/api/operations/platform.ts';
import { DEFAULT_PAGE_SIZE, pageQuery } from '#shared/api/platform/queryInputs.ts';
import { meta } from '#shared/api/views.ts';
import { SavedReplyView, viewSavedReply } from '#shared/domain/botChat/savedReplyView.ts';
import * as savedReplies from '#shared/storage/dynamodb/chat/savedReplies.ts';
import { END, pageOfList } from '#shared/storage/dynamodb/lists/lists.ts';

export const listSavedReplies = botChatOperation({
  name: 'listSavedReplies',
  summary: 'Lists the saved replies of the bot and of its workspace, newest first.',
  scope: 'bot',
  method: 'GET',
  path: '/chat/saved-replies',
  table: 'reads',
  partitions: { reads: ['savedReplies'] },
  query: z.object(pageQuery),
  output: z.object({ savedReplies: z.array(SavedReplyView), meta }),
  statuses: [200],

  handle: async call => {
    const { input, pageStart, nextToken } = call;
    const { pageSize = DEFAULT_PAGE_SIZE } = input;
    const range = { direction: 'desc' as const, first: '', last: END, after: pageStart };
    const { records, next } = await pageOfList(savedReplies.listSavedReplies(call, range), pageSize);
    const replies = records.map(({ reply, scope }) => viewSavedReply(reply, scope));
    return ok({ savedReplies: replies, meta: next ? { nextToken: nextToken(next) } : {} });
  },
});
