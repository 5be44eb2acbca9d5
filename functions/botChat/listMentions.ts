import * as z from 'zod/mini';
import { ok } from '#shared/api/operation.ts';
import { botChatOperation } from '#shared/api/operations/platform.ts';
import { DEFAULT_PAGE_SIZE, pageQuery, queryBoolean } from '#shared/api/platform/queryInputs.ts';
import { meta } from '#shared/api/views.ts';
import { MentionView, viewMentions } from '#shared/domain/botChat/handoffs/mentions.ts';
import { pageOfEntries, rangeFrom } from '#shared/domain/botChat/handoffs/queryHandoffs.ts';
import { listMentionEntries, readMentions } from '#shared/storage/dynamodb/chat/mentions.ts';

export const listMentions = botChatOperation({
  name: 'listMentions',
  summary: 'Lists the mentions of the caller in notes of the workspace, newest first.',
  scope: 'account',
  method: 'GET',
  path: '/chat/inbox/mentions',
  table: 'reads',
  partitions: { reads: ['workspaces', 'mentions'] },
  query: z.object({ ...pageQuery, isUnread: z.optional(queryBoolean()) }),
  output: z.object({ mentions: z.array(MentionView), meta }),
  statuses: [200],

  handle: async call => {
    const { input, workspaceId, account, pageStart, nextToken } = call;
    const { pageSize = DEFAULT_PAGE_SIZE, isUnread = false } = input;
    const list = listMentionEntries(workspaceId, account.id, isUnread, rangeFrom('desc', pageStart));
    const { entries, next } = await pageOfEntries(list, pageSize);
    const mentions = await viewMentions(call, await readMentions(entries));
    return ok({ mentions, meta: next === undefined ? {} : { nextToken: nextToken(next) } });
  },
});
