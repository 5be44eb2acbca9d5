import * as z from 'zod/mini';
import { ok } from '#shared/api/operation.ts';
import { anything } from '#shared/api/platform/inputs.ts';
import { botChatOperation } from '#shared/api/platform/operation.ts';
import { expiry, stateOf } from '#shared/botChat/stateInputs.ts';
import { findState, nextState, requireState, requireStateVersion, writesOf } from '#shared/botChat/states.ts';
import { etag } from '#shared/botChat/views/common.ts';
import { StateView, viewState } from '#shared/botChat/views/state.ts';
import { retryConflicts, write } from '#shared/dynamodb/transaction.ts';
import { loadValue } from '#shared/s3/largeValue.ts';

/** Each reads, adds its own, and writes if nobody wrote meanwhile: so many come through at once. */
const ATTEMPTS = 25;

export const patchState = botChatOperation({
  name: 'patchState',
  summary: 'Sets the given keys of a state that is there, and leaves the others.',
  scope: 'bot',
  method: 'PATCH',
  path: '/chat/states/{type}/{id}/{name}',
  table: 'writes',
  largeValues: 'writes',
  isVersioned: true,
  body: z.object({ payload: anything(), expiry: expiry() }),
  output: z.object({ state: StateView }),
  statuses: [200],

  handle: call =>
    retryConflicts(async () => {
      const { botId, input } = call;
      const named = stateOf(input);
      const found = await findState(call, named);
      const before = requireState(found, named);
      requireStateVersion(call, found);
      const payload = { ...((await loadValue(before)) as Record<string, unknown>), ...input.payload };
      const state = await nextState(call, found, payload, input.expiry);
      await write(await writesOf(botId, found, state));
      return { ...ok({ state: viewState(botId, state, named.name, payload) }), headers: etag(state.version) };
    }),
});
