import * as z from 'zod/mini';
import { dateTime, iso } from '#shared/api/views.ts';
import { type CallerScope, shownName } from '#shared/domain/messaging/callerScope.ts';
import { EVENT_STATUSES, type Event, eventCreatedAtMs } from '#shared/storage/dynamodb/chat/events.ts';
import { payloadOf } from './eventPayload.ts';
import { Payload } from './viewFields.ts';

export const EventView = z.object({
  id: z.string(),
  createdAt: dateTime(),
  type: z.string(),
  payload: Payload,
  conversationId: z.optional(z.string()),
  userId: z.optional(z.string()),
  messageId: z.optional(z.string()),
  workflowId: z.optional(z.string()),
  status: z.enum(EVENT_STATUSES),
  failureReason: z.nullable(z.string()),
});

type Scope = Pick<CallerScope, 'installation'>;

/** @param scope the caller; an integration sees its own types without its prefix */
export const viewEvent = (scope: Scope, event: Event, payload: Record<string, unknown>): z.infer<typeof EventView> => ({
  id: event.id,
  createdAt: iso(eventCreatedAtMs(event)),
  type: shownName(scope, event.type),
  payload,
  conversationId: event.conversationId,
  userId: event.userId,
  messageId: event.messageId,
  workflowId: event.workflowId,
  status: event.status,
  failureReason: event.failureReason ?? null,
});

/** Uses an empty payload if the message of the event was deleted. */
export const loadEvent = async (scope: Scope & { botId: string }, event: Event) =>
  viewEvent(scope, event, (await payloadOf(scope.botId, event)) ?? {});
