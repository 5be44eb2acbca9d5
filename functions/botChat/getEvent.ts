import * as z from 'zod/mini';
import { ok } from '#shared/api/operation.ts';
import { botChatOperation } from '#shared/api/operations/platform.ts';
import { requireEvent } from '#shared/domain/botChat/events/eventRules.ts';
import { EventView, loadEvent } from '#shared/domain/messaging/botViews/eventView.ts';

export const getEvent = botChatOperation({
  name: 'getEvent',
  summary: 'Returns an event and the status of its delivery.',
  scope: 'bot',
  method: 'GET',
  path: '/chat/events/{id}',
  table: 'reads',
  largeValues: 'reads',
  output: z.object({ event: EventView }),
  statuses: [200],

  handle: async call => ok({ event: await loadEvent(call, await requireEvent(call, call.input.id)) }),
});
