import * as z from 'zod/mini';
import { ok } from '#shared/api/operation.ts';
import { botChatOperation } from '#shared/api/operations/platform.ts';
import { DEFAULT_PAGE_SIZE, oneOrMore, pageQuery, queryBoolean } from '#shared/api/platform/queryInputs.ts';
import { meta } from '#shared/api/views.ts';
import { invalidPayload } from '#shared/core/errors.ts';
import { text } from '#shared/core/text.ts';
import { HandoffPreview } from '#shared/domain/botChat/handoffs/handoffPreviews.ts';
import { HandoffView } from '#shared/domain/botChat/handoffs/handoffView.ts';
import { inboxBots, latestHandoffs, queryInbox, viewInbox } from '#shared/domain/botChat/handoffs/queryInbox.ts';
import { queryLabelled } from '#shared/domain/botChat/handoffs/queryLabelled.ts';
import { LISTED_STATUSES } from '#shared/storage/dynamodb/chat/handoffs.ts';

export const listInboxHandoffs = botChatOperation({
  name: 'listInboxHandoffs',
  summary:
    'Lists the handoffs of up to 100 bots of the workspace, with the user and the latest message of each conversation: all, by status, of a member, or the latest ones of conversations.',
  scope: 'account',
  method: 'GET',
  path: '/chat/inbox/handoffs',
  table: 'reads',
  partitions: { reads: ['workspaces', 'workspaceLists', 'agents'] },
  query: z.object({
    ...pageQuery,
    botIds: z.optional(oneOrMore(text(200))),
    status: z.optional(oneOrMore(z.enum(LISTED_STATUSES))),
    accountId: z.optional(text(200)),
    isUnread: z.optional(queryBoolean()),
    labelId: z.optional(text(200)),
    conversationIds: z.optional(oneOrMore(text(200))),
    sortDirection: z.optional(z.enum(['asc', 'desc'])),
  }),
  output: z.object({
    handoffs: z.array(z.extend(HandoffView, { botId: z.string(), preview: z.optional(HandoffPreview) })),
    meta,
  }),
  statuses: [200],

  handle: async call => {
    const { pageSize = DEFAULT_PAGE_SIZE, sortDirection: direction = 'desc', ...filters } = call.input;
    const { botIds, status, accountId: memberId, isUnread, labelId, conversationIds } = filters;
    if (isUnread && memberId === undefined) {
      throw invalidPayload('Requires accountId, because read marks belong to members.', 'isUnread');
    }
    if (conversationIds && botIds?.length !== 1) {
      throw invalidPayload('Requires the bot of the conversations as the only element of botIds.', 'conversationIds');
    }
    const { botIds: bots } = await inboxBots(call, botIds);
    if (conversationIds) {
      const [botId] = bots;
      const latest = botId === undefined ? [] : await latestHandoffs(botId, conversationIds);
      return ok({ handoffs: await viewInbox(latest), meta: {} });
    }
    const lists = (status ?? [undefined]).map(each => ({ status: each, memberId, isUnread }));
    const options = { pageSize, direction, after: call.pageStart };
    const page =
      labelId === undefined
        ? await queryInbox(bots, lists, options)
        : await queryLabelled(call, bots, lists, labelId, options);
    const handoffs = await viewInbox(page.handoffs);
    return ok({ handoffs, meta: page.next === undefined ? {} : { nextToken: call.nextToken(page.next) } });
  },
});
