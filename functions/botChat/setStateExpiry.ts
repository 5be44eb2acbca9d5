import * as z from 'zod/mini';
import { ok } from '#shared/api/operation.ts';
import { botChatOperation } from '#shared/api/platform/operation.ts';
import { expiry, stateOf } from '#shared/botChat/stateInputs.ts';
import { findState, nextState, requireState, requireStateVersion, writesOf } from '#shared/botChat/states.ts';
import { etag } from '#shared/botChat/views/common.ts';
import { StateView, viewState } from '#shared/botChat/views/state.ts';
import { loadValue } from '#shared/s3/largeValue.ts';

export const setStateExpiry = botChatOperation({
  name: 'setStateExpiry',
  summary: 'Sets for how long a state may be idle from now on, in milliseconds; null lets it stay for ever.',
  scope: 'bot',
  method: 'POST',
  path: '/chat/states/{type}/{id}/{name}/expiry',
  table: 'writes',
  largeValues: 'writes',
  isVersioned: true,
  body: z.object({ expiry: z.nonoptional(expiry()) }),
  output: z.object({ state: StateView }),
  statuses: [200],

  handle: async call => {
    const { botId, input, commit } = call;
    const named = stateOf(input);
    const found = await findState(call, named);
    const before = requireState(found, named);
    requireStateVersion(call, found);
    const payload = (await loadValue(before)) as Record<string, unknown>;
    const state = await nextState(call, found, payload, input.expiry);
    const answer = ok({ state: viewState(botId, state, named.name, payload) });
    return { ...(await commit(answer, await writesOf(botId, found, state))), headers: etag(state.version) };
  },
});
