import * as z from 'zod/mini';
import { ok } from '#shared/api/operation.ts';
import { botChatOperation } from '#shared/api/operations/platform.ts';
import { findStateToChange } from '#shared/domain/botChat/states/findState.ts';
import { expiry, parseStatePath } from '#shared/domain/botChat/states/stateInputs.ts';
import { nextState, stateWrites } from '#shared/domain/botChat/states/writeState.ts';
import { StateView, viewState } from '#shared/domain/messaging/botViews/stateView.ts';
import { etag } from '#shared/domain/messaging/botViews/viewFields.ts';
import { loadValue } from '#shared/storage/dynamodb/engine/largeValue.ts';

export const setStateExpiry = botChatOperation({
  name: 'setStateExpiry',
  summary: 'Sets the idle time in milliseconds after which a state expires. Null removes the expiry.',
  scope: 'bot',
  method: 'POST',
  path: '/chat/states/{type}/{id}/{name}/expiry',
  table: 'writes',
  partitions: { writes: ['states'] },
  largeValues: 'writes',
  isVersioned: true,
  body: z.object({ expiry: z.nonoptional(expiry()) }),
  output: z.object({ state: StateView }),
  statuses: [200],

  handle: async call => {
    const { botId, input, commit } = call;
    const path = parseStatePath(input);
    const { found, before } = await findStateToChange(call, path);
    const payload = (await loadValue(before)) as Record<string, unknown>;
    const state = await nextState(call, found, payload, input.expiry);
    const answer = ok({ state: viewState(botId, state, path.name, payload) });
    return { ...(await commit(answer, await stateWrites(botId, found, state))), headers: etag(state.version) };
  },
});
