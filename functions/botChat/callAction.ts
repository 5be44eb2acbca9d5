import * as z from 'zod/mini';
import { MEGABYTE, ok } from '#shared/api/operation.ts';
import { botChatOperation } from '#shared/api/operations/platform.ts';
import { runAction } from '#shared/domain/botChat/actions/runAction.ts';
import { anything, typeWithAlias } from '#shared/domain/botChat/botChatInputs.ts';

export const callAction = botChatOperation({
  name: 'callAction',
  summary:
    "Runs an action and returns its output. `alias:action` calls the integration's endpoint, a bare name the bot's own. Times out after 10 seconds.",
  scope: 'bot',
  method: 'POST',
  path: '/chat/actions',
  table: 'writes',
  // `logs`: console output of the integration's deployed code. `audit`, `reports`, `webhooks`: sessions of the
  // integration inbox. `connections`: streamed messages, which also remove vanished connections.
  partitions: {
    reads: ['webhooks'],
    writes: ['openWork', 'connections', 'connectionSubjects'],
    appends: ['logs', 'audit', 'reports'],
  },
  connections: 'sends',
  largeValues: 'writes',
  callsEndpoints: true,
  payloadLimitBytes: MEGABYTE,
  body: z.object({ type: typeWithAlias(), input: anything() }),
  output: z.object({ output: anything(), meta: z.object({ cached: z.boolean() }) }),
  statuses: [200],

  handle: async call => {
    const output = await runAction(call, call.input.type, call.input.input);
    return call.commit(ok({ output, meta: { cached: false } }), []);
  },
});
