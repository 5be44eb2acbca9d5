import * as z from 'zod/mini';
import { MEGABYTE, ok } from '#shared/api/operation.ts';
import { botChatOperation } from '#shared/api/operations/platform.ts';
import { anything } from '#shared/domain/botChat/botChatInputs.ts';
import { findState, requireChangeable } from '#shared/domain/botChat/states/findState.ts';
import { expiry, parseStatePath } from '#shared/domain/botChat/states/stateInputs.ts';
import { nextState, stateWrites } from '#shared/domain/botChat/states/writeState.ts';
import { loadState, StateView, viewState } from '#shared/domain/messaging/botViews/stateView.ts';
import { etag } from '#shared/domain/messaging/botViews/viewFields.ts';
import { renewExpiry } from '#shared/storage/dynamodb/chat/states.ts';

export const getOrSetState = botChatOperation({
  name: 'getOrSetState',
  summary: 'Returns a state and restarts its expiry, or sets it if it does not exist.',
  scope: 'bot',
  method: 'POST',
  path: '/chat/states/{type}/{id}/{name}/get-or-set',
  table: 'writes',
  partitions: { writes: ['states'] },
  largeValues: 'writes',
  payloadLimitBytes: MEGABYTE,
  body: z.object({ payload: anything(), expiry: expiry() }),
  output: z.object({ state: StateView, meta: z.object({ cached: z.boolean() }) }),
  statuses: [200],

  handle: async call => {
    const { botId, input, nowMs, commit } = call;
    const path = parseStatePath(input);
    const found = await findState(call, path);
    requireChangeable(call, found);
    const meta = { cached: false };
    if (found.before && !found.isOver) {
      const { state, writes } = renewExpiry(botId, found.before, nowMs);
      const answer = ok({ state: await loadState(botId, state, path.name), meta });
      return { ...(await commit(answer, writes)), headers: etag(state.version) };
    }
    const state = await nextState(call, found, input.payload, input.expiry);
    const answer = ok({ state: viewState(botId, state, path.name, input.payload), meta });
    return { ...(await commit(answer, await stateWrites(botId, found, state))), headers: etag(state.version) };
  },
});
