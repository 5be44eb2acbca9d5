import * as z from 'zod/mini';
import { ok } from '#shared/api/operation.ts';
import { anything } from '#shared/api/platform/inputs.ts';
import { botChatOperation } from '#shared/api/platform/operation.ts';
import { expiry, stateOf } from '#shared/botChat/stateInputs.ts';
import { findState, nextState, removalOf, requireStateVersion, writesOf } from '#shared/botChat/states.ts';
import { etag } from '#shared/botChat/views/common.ts';
import { StateView, viewState } from '#shared/botChat/views/state.ts';

export const setState = botChatOperation({
  name: 'setState',
  summary: 'Sets a state, in the place of what was there; a payload of null removes it.',
  scope: 'bot',
  method: 'POST',
  path: '/chat/states/{type}/{id}/{name}',
  table: 'writes',
  largeValues: 'writes',
  isVersioned: true,
  body: z.object({ payload: z.nullable(anything()), expiry: expiry() }),
  output: z.object({ state: StateView }),
  statuses: [200],

  handle: async call => {
    const { botId, input, commit } = call;
    const named = stateOf(input);
    const found = await findState(call, named);
    requireStateVersion(call, found);
    const payload = input.payload ?? {};
    const state = await nextState(call, found, payload, input.expiry);
    const answer = ok({ state: viewState(botId, state, named.name, payload) });
    if (input.payload === null) return commit(answer, await removalOf(botId, found));
    return { ...(await commit(answer, await writesOf(botId, found, state))), headers: etag(state.version) };
  },
});
