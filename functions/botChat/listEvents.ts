import * as z from 'zod/mini';
import { ok } from '#shared/api/operation.ts';
import { botChatOperation } from '#shared/api/operations/platform.ts';
import { DEFAULT_PAGE_SIZE, pageQuery } from '#shared/api/platform/queryInputs.ts';
import { meta } from '#shared/api/views.ts';
import { parseTimelineId } from '#shared/core/ids.ts';
import { text } from '#shared/core/text.ts';
import { typeWithAlias } from '#shared/domain/botChat/botChatInputs.ts';
import { EventView, loadEvent } from '#shared/domain/messaging/botViews/eventView.ts';
import { canSee } from '#shared/domain/messaging/callerScope.ts';
import { filteredEventType } from '#shared/domain/messaging/eventTypes.ts';
import * as eventRecords from '#shared/storage/dynamodb/chat/events.ts';
import { sizeOf } from '#shared/storage/dynamodb/engine/largeValue.ts';
import { END, pageOfList } from '#shared/storage/dynamodb/lists/lists.ts';

export const listEvents = botChatOperation({
  name: 'listEvents',
  summary: 'Lists events, newest first, optionally of a conversation, type, status, user, message or workflow.',
  scope: 'bot',
  method: 'GET',
  path: '/chat/events',
  table: 'reads',
  largeValues: 'reads',
  query: z.object({
    ...pageQuery,
    type: z.optional(typeWithAlias()),
    conversationId: z.optional(text(200)),
    userId: z.optional(text(200)),
    messageId: z.optional(text(200)),
    workflowId: z.optional(text(200)),
    status: z.optional(z.enum(eventRecords.EVENT_STATUSES)),
  }),
  output: z.object({ events: z.array(EventView), meta }),
  statuses: [200],

  handle: async call => {
    const { botId, input, pageStart, nextToken } = call;
    const { conversationId, userId, messageId, workflowId, status, pageSize = DEFAULT_PAGE_SIZE } = input;
    const type = input.type === undefined ? undefined : filteredEventType(call, input.type);
    const filters = { type, conversationId, userId, messageId, workflowId, status };
    const given = Object.entries(filters).filter(([, value]) => value !== undefined);
    // Message ids contain the id of the conversation.
    const listConversationId = conversationId ?? (messageId && parseTimelineId('msg', messageId)?.conversationId);
    const range = { direction: 'desc' as const, first: '', last: END, after: pageStart };
    const source = eventRecords.listEvents(botId, { conversationId: listConversationId, status }, range);

    async function* filtered() {
      for await (const { sortKey, event } of source) {
        const matches =
          canSee(call, event) && given.every(([field, value]) => event[field as keyof typeof filters] === value);
        yield { sortKey, record: matches ? event : undefined };
      }
    }
    const { records, next } = await pageOfList(filtered(), pageSize, sizeOf);
    return ok({
      events: await Promise.all(records.map(event => loadEvent(call, event))),
      meta: next ? { nextToken: nextToken(next) } : {},
    });
  },
});
