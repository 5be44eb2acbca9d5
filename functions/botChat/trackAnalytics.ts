import * as z from 'zod/mini';
import { ok } from '#shared/api/operation.ts';
import { botChatOperation } from '#shared/api/operations/platform.ts';
import { dayOf } from '#shared/core/calendar.ts';
import { displayName } from '#shared/core/text.ts';
import { addCustomCount } from '#shared/storage/dynamodb/bots/customAnalytics.ts';

const COUNT_LIMIT = 1_000_000_000;

export const trackAnalytics = botChatOperation({
  name: 'trackAnalytics',
  summary:
    'Adds to a count of the bot for the current day (UTC). `getBotAnalytics` returns it in `customEvents`. A day has at most 100 names.',
  scope: 'bot',
  method: 'POST',
  path: '/chat/analytics',
  table: 'writes',
  partitions: { writes: ['analytics'] },
  body: z.object({ name: displayName(200), count: z.number().check(z.minimum(0), z.maximum(COUNT_LIMIT)) }),
  output: z.object({}),
  statuses: [200],

  handle: async ({ botId, input, nowMs, commit }) =>
    commit(ok({}), [await addCustomCount(botId, dayOf(nowMs), input.name, input.count)]),
});
