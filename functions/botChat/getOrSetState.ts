import * as z from 'zod/mini';
import { ok } from '#shared/api/operation.ts';
import { anything } from '#shared/api/platform/inputs.ts';
import { botChatOperation } from '#shared/api/platform/operation.ts';
import { expiry, stateOf } from '#shared/botChat/stateInputs.ts';
import { findState, nextState, writesOf } from '#shared/botChat/states.ts';
import { etag } from '#shared/botChat/views/common.ts';
import { loadState, StateView, viewState } from '#shared/botChat/views/state.ts';
import { renewExpiry } from '#shared/dynamodb/chat/states.ts';

export const getOrSetState = botChatOperation({
  name: 'getOrSetState',
  summary:
    'A state as it is, or as it is set now if it was not there. One that is there is in use: its expiry starts anew.',
  scope: 'bot',
  method: 'POST',
  path: '/chat/states/{type}/{id}/{name}/get-or-set',
  table: 'writes',
  largeValues: 'writes',
  body: z.object({ payload: anything(), expiry: expiry() }),
  output: z.object({ state: StateView, meta: z.object({ cached: z.boolean() }) }),
  statuses: [200],

  handle: async call => {
    const { botId, input, nowMs, commit } = call;
    const named = stateOf(input);
    const found = await findState(call, named);
    const meta = { cached: false };
    if (found.before && !found.isOver) {
      const { state, writes } = renewExpiry(botId, found.before, nowMs);
      const answer = ok({ state: await loadState(botId, state, named.name), meta });
      return { ...(await commit(answer, writes)), headers: etag(state.version) };
    }
    const state = await nextState(call, found, input.payload, input.expiry);
    const answer = ok({ state: viewState(botId, state, named.name, input.payload), meta });
    return { ...(await commit(answer, await writesOf(botId, found, state))), headers: etag(state.version) };
  },
});
