import * as z from 'zod/mini';
import { ok } from '#shared/api/operation.ts';
import { botChatOperation } from '#shared/api/operations/platform.ts';
import { ApiError, notFound } from '#shared/core/errors.ts';
import { requireEvent } from '#shared/domain/botChat/events/eventRules.ts';
import { setEventStatus, unschedule } from '#shared/storage/dynamodb/chat/events.ts';

export const cancelScheduledEvent = botChatOperation({
  name: 'cancelScheduledEvent',
  summary: 'Cancels a scheduled event that is not due yet.',
  scope: 'bot',
  method: 'DELETE',
  path: '/chat/events/scheduled/{id}',
  table: 'writes',
  output: z.object({}),
  statuses: [200],

  handle: async call => {
    const { botId, input, commit } = call;
    const event = await requireEvent(call, input.id);
    const tooLate = (status: string) =>
      new ApiError('RelationConflict', `Only a scheduled event can be canceled. This event is ${status}.`);
    if (event.status !== 'scheduled') throw tooLate(event.status);
    // Conditional on the status, so that either this call or the timer wins.
    return commit(ok({}), [
      setEventStatus(botId, event, 'canceled', existing =>
        existing ? tooLate(existing.status) : notFound(`The event ${input.id}`),
      ),
      unschedule(botId, event),
    ]);
  },
});
