import * as z from 'zod/mini';
import { ok } from '#shared/api/operation.ts';
import { botChatOperation } from '#shared/api/operations/platform.ts';
import { DEFAULT_PAGE_SIZE, oneOrMore, pageQuery } from '#shared/api/platform/queryInputs.ts';
import { meta } from '#shared/api/views.ts';
import { text } from '#shared/core/text.ts';
import { inboxBots } from '#shared/domain/botChat/handoffs/queryInbox.ts';
import { searchText } from '#shared/domain/botChat/search/searchInputs.ts';
import { searchUsers } from '#shared/domain/botChat/search/searchUsers.ts';
import { Customer, viewCustomers } from '#shared/domain/botChat/search/viewCustomers.ts';

export const searchInbox = botChatOperation({
  name: 'searchInbox',
  summary:
    'Finds users of up to 100 bots of the workspace by the start of names, email addresses, tags and attributes, or by an id or a tag, with the latest conversations of each.',
  scope: 'account',
  method: 'GET',
  path: '/chat/inbox/search',
  table: 'reads',
  partitions: { reads: ['workspaces', 'workspaceLists', 'userTerms'] },
  query: z.object({ ...pageQuery, query: searchText(), botIds: z.optional(oneOrMore(text(200))) }),
  output: z.object({ customers: z.array(Customer), isPartial: z.boolean(), meta }),
  statuses: [200],

  handle: async call => {
    const { query, pageSize = DEFAULT_PAGE_SIZE, botIds: wanted } = call.input;
    const { botIds, isPartial } = await inboxBots(call, wanted);
    const { records, next } = await searchUsers(botIds, query, { pageSize, after: call.pageStart });
    const customers = await viewCustomers(records, query);
    return ok({ customers, isPartial, meta: next === undefined ? {} : { nextToken: call.nextToken(next) } });
  },
});
