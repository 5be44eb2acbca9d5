import * as z from 'zod/mini';
import { created, MEGABYTE } from '#shared/api/operation.ts';
import { botChatOperation } from '#shared/api/operations/platform.ts';
import { anything, id, typeWithAlias } from '#shared/domain/botChat/botChatInputs.ts';
import { requireDeclaredPayload, requireLinks } from '#shared/domain/botChat/events/eventRules.ts';
import { EventView, viewEvent } from '#shared/domain/messaging/botViews/eventView.ts';
import { newEventType } from '#shared/domain/messaging/eventTypes.ts';
import { dueMsOf, schedule } from '#shared/domain/messaging/schedule.ts';
import { orderOfConversation, orderOfWorkflow } from '#shared/domain/messaging/workflows/workflowEvents.ts';
import { type Event, newEventId, putNewEvent } from '#shared/storage/dynamodb/chat/events.ts';
import { storeValue } from '#shared/storage/dynamodb/engine/largeValue.ts';

export const createEvent = botChatOperation({
  name: 'createEvent',
  summary: 'Creates an event for the bot, now or at a scheduled time.',
  scope: 'bot',
  method: 'POST',
  path: '/chat/events',
  table: 'writes',
  largeValues: 'writes',
  payloadLimitBytes: MEGABYTE,
  body: z.object({
    type: typeWithAlias(),
    payload: anything(),
    schedule: z.optional(schedule()),
    conversationId: z.optional(id()),
    userId: z.optional(id()),
    workflowId: z.optional(id()),
    messageId: z.optional(id()),
  }),
  output: z.object({ event: EventView }),
  statuses: [201],

  handle: async call => {
    const { botId, installation, input, nowMs, commit } = call;
    const { payload, userId, workflowId, messageId } = input;
    const type = newEventType(call, input.type);
    const [{ conversation, workflow }] = await Promise.all([
      requireLinks(call, input),
      requireDeclaredPayload(call, type, payload),
    ]);
    const order =
      !conversation && workflow ? await orderOfWorkflow(botId, workflow) : orderOfConversation(conversation);
    const dueMs = dueMsOf(input.schedule, nowMs);
    const event: Event = {
      id: newEventId(order),
      type,
      status: dueMs === undefined ? 'pending' : 'scheduled',
      conversationId: conversation?.id,
      userId,
      workflowId,
      messageId,
      webhookId: installation?.webhookId,
      generation: order.generation,
      ...(await storeValue(botId, payload)),
    };
    return commit(created({ event: viewEvent(call, event, payload) }), putNewEvent(botId, event, dueMs));
  },
});
