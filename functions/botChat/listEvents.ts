import * as z from 'zod/mini';
import { ok } from '#shared/api/operation.ts';
import { typeName } from '#shared/api/platform/inputs.ts';
import { botChatOperation } from '#shared/api/platform/operation.ts';
import { DEFAULT_PAGE_SIZE, pageQuery } from '#shared/api/platform/parsePlatformInput.ts';
import { meta } from '#shared/api/views.ts';
import { EventView, loadEvent } from '#shared/botChat/views/event.ts';
import { EVENT_STATUSES, listEvents as list } from '#shared/dynamodb/chat/events.ts';
import { END, pageOfList } from '#shared/dynamodb/lists.ts';
import { parseTimelineId } from '#shared/ids.ts';
import { canSee } from '#shared/messaging/callerScope.ts';
import { sizeOf } from '#shared/s3/largeValue.ts';
import { text } from '#shared/text.ts';

export const listEvents = botChatOperation({
  name: 'listEvents',
  summary: 'Events, newest first: all, or those of a conversation, a type, a status, a user, a message or a workflow.',
  scope: 'bot',
  method: 'GET',
  path: '/chat/events',
  table: 'reads',
  largeValues: 'reads',
  query: z.object({
    ...pageQuery,
    type: z.optional(typeName()),
    conversationId: z.optional(text(200)),
    userId: z.optional(text(200)),
    messageId: z.optional(text(200)),
    workflowId: z.optional(text(200)),
    status: z.optional(z.enum(EVENT_STATUSES)),
  }),
  output: z.object({ events: z.array(EventView), meta }),
  statuses: [200],

  handle: async call => {
    const { botId, input, pageStart, nextToken } = call;
    const { type, conversationId, userId, messageId, workflowId, status, pageSize = DEFAULT_PAGE_SIZE } = input;
    // A message's id says which conversation it is of.
    const of = conversationId ?? (messageId && parseTimelineId('msg', messageId)?.conversationId);
    const range = { direction: 'desc' as const, first: '', last: END, after: pageStart };
    const wanted = { type, conversationId, userId, messageId, workflowId, status };
    const filters = Object.entries(wanted).filter(([, value]) => value !== undefined);

    async function* events() {
      for await (const { sortKey, event } of list(botId, { conversationId: of, type, status }, range)) {
        const isWanted =
          canSee(call, event) && filters.every(([field, value]) => event[field as keyof typeof wanted] === value);
        yield { sortKey, record: isWanted ? event : undefined };
      }
    }
    const { records, next } = await pageOfList(events(), pageSize, sizeOf);
    return ok({
      events: await Promise.all(records.map(event => loadEvent(botId, event))),
      meta: next ? { nextToken: nextToken(next) } : {},
    });
  },
});
