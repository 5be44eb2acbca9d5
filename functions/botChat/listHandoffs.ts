import * as z from 'zod/mini';
import { ok } from '#shared/api/operation.ts';
import { botChatOperation } from '#shared/api/operations/platform.ts';
import { DEFAULT_PAGE_SIZE, pageQuery, queryBoolean } from '#shared/api/platform/queryInputs.ts';
import { invalidPayload } from '#shared/core/errors.ts';
import { hashText } from '#shared/core/ids.ts';
import { text } from '#shared/core/text.ts';
import { findPreviews, HandoffPreview } from '#shared/domain/botChat/handoffs/handoffPreviews.ts';
import { HandoffView, viewHandoff } from '#shared/domain/botChat/handoffs/handoffView.ts';
import { queryHandoffs } from '#shared/domain/botChat/handoffs/queryHandoffs.ts';
import { LISTED_STATUSES } from '#shared/storage/dynamodb/chat/handoffs.ts';

export const listHandoffs = botChatOperation({
  name: 'listHandoffs',
  summary:
    'Lists handoffs, newest first by default: all, in a status, of a member or of a conversation. With the version of an earlier response, an unchanged page is empty and costs one index query.',
  scope: 'bot',
  method: 'GET',
  path: '/chat/handoffs',
  table: 'reads',
  query: z.object({
    ...pageQuery,
    status: z.optional(z.enum(LISTED_STATUSES)),
    accountId: z.optional(text(200)),
    conversationId: z.optional(text(200)),
    isUnread: z.optional(queryBoolean()),
    version: z.optional(text(100)),
    preview: z.optional(queryBoolean()),
    sortDirection: z.optional(z.enum(['asc', 'desc'])),
  }),
  output: z.object({
    handoffs: z.array(z.extend(HandoffView, { preview: z.optional(HandoffPreview) })),
    meta: z.object({ nextToken: z.optional(z.string()), version: z.string(), isUnchanged: z.boolean() }),
  }),
  statuses: [200],

  handle: async call => {
    const {
      pageSize = DEFAULT_PAGE_SIZE,
      version: known,
      status,
      accountId,
      conversationId,
      isUnread,
      preview,
      sortDirection: direction = 'desc',
    } = call.input;
    if (isUnread && accountId === undefined) {
      throw invalidPayload('Requires accountId, because read marks belong to members.', 'isUnread');
    }
    const filters = { status, memberId: accountId, conversationId, isUnread };
    const page = await queryHandoffs(call, filters, {
      pageSize,
      direction,
      known: preview ? undefined : known,
    });
    const nextToken = page.next === undefined ? {} : { nextToken: call.nextToken(page.next) };
    const previews = preview ? await findPreviews(call.botId, page.handoffs) : [];
    const handoffs = page.handoffs.map((handoff, i) => ({ ...viewHandoff(handoff), preview: previews[i] }));
    const version = preview ? hashText(page.version, JSON.stringify(handoffs)) : page.version;
    const isUnchanged = version === known;
    return ok({ handoffs: isUnchanged ? [] : handoffs, meta: { ...nextToken, version, isUnchanged } });
  },
});
