import * as z from 'zod/mini';
import { MEGABYTE, ok } from '#shared/api/operation.ts';
import { botChatOperation } from '#shared/api/operations/platform.ts';
import { anything } from '#shared/domain/botChat/botChatInputs.ts';
import { findState, requireChangeable, requireStateVersion } from '#shared/domain/botChat/states/findState.ts';
import { expiry, parseStatePath } from '#shared/domain/botChat/states/stateInputs.ts';
import { nextState, stateRemoval, stateWrites } from '#shared/domain/botChat/states/writeState.ts';
import { StateView, viewState } from '#shared/domain/messaging/botViews/stateView.ts';
import { etag } from '#shared/domain/messaging/botViews/viewFields.ts';

export const setState = botChatOperation({
  name: 'setState',
  summary: 'Sets or replaces a state. A payload of null removes it.',
  scope: 'bot',
  method: 'POST',
  path: '/chat/states/{type}/{id}/{name}',
  table: 'writes',
  partitions: { writes: ['states'] },
  largeValues: 'writes',
  isVersioned: true,
  payloadLimitBytes: MEGABYTE,
  body: z.object({ payload: z.nullable(anything()), expiry: expiry() }),
  output: z.object({ state: StateView }),
  statuses: [200],

  handle: async call => {
    const { botId, input, commit } = call;
    const path = parseStatePath(input);
    const found = await findState(call, path);
    if (input.payload !== null) requireChangeable(call, found);
    requireStateVersion(call, found);
    const payload = input.payload ?? {};
    const state = await nextState(call, found, payload, input.expiry);
    const answer = ok({ state: viewState(botId, state, path.name, payload) });
    if (input.payload === null) return commit(answer, await stateRemoval(botId, found));
    return { ...(await commit(answer, await stateWrites(botId, found, state))), headers: etag(state.version) };
  },
});
