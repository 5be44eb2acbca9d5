import * as z from 'zod/mini';
import { ok } from '#shared/api/operation.ts';
import { anything, typeName } from '#shared/api/platform/inputs.ts';
import { botChatOperation } from '#shared/api/platform/operation.ts';
import { runAction } from '#shared/botChat/actions.ts';

export const callAction = botChatOperation({
  name: 'callAction',
  summary:
    "Has an action done, and answers what came of it: an integration's (`alias:action`) by its endpoint, another by the bot's. It may take 10 seconds.",
  scope: 'bot',
  method: 'POST',
  path: '/chat/actions',
  table: 'writes',
  largeValues: 'writes',
  callsEndpoints: true,
  body: z.object({ type: typeName(), input: anything() }),
  output: z.object({ output: anything(), meta: z.object({ cached: z.boolean() }) }),
  statuses: [200],

  handle: async call => {
    const output = await runAction(call, call.input.type, call.input.input);
    return call.commit(ok({ output, meta: { cached: false } }), []);
  },
});
