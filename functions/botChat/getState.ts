import * as z from 'zod/mini';
import { ok } from '#shared/api/operation.ts';
import { botChatOperation } from '#shared/api/platform/operation.ts';
import { stateOf } from '#shared/botChat/stateInputs.ts';
import { findState, requireState } from '#shared/botChat/states.ts';
import { etag } from '#shared/botChat/views/common.ts';
import { loadState, StateView } from '#shared/botChat/views/state.ts';

export const getState = botChatOperation({
  name: 'getState',
  summary:
    'A state of a conversation, user, workflow, integration or the bot. Looking at it does not keep it from expiring.',
  scope: 'bot',
  method: 'GET',
  path: '/chat/states/{type}/{id}/{name}',
  table: 'reads',
  largeValues: 'reads',
  output: z.object({ state: StateView, meta: z.object({ cached: z.boolean() }) }),
  statuses: [200],

  handle: async call => {
    const named = stateOf(call.input);
    const state = requireState(await findState(call, named), named);
    return {
      ...ok({ state: await loadState(call.botId, state, named.name), meta: { cached: false } }),
      headers: etag(state.version),
    };
  },
});
