import * as z from 'zod/mini';
import { MEGABYTE, ok } from '#shared/api/operation.ts';
import { botChatOperation } from '#shared/api/operations/platform.ts';
import { anything } from '#shared/domain/botChat/botChatInputs.ts';
import { findStateToChange } from '#shared/domain/botChat/states/findState.ts';
import { expiry, parseStatePath } from '#shared/domain/botChat/states/stateInputs.ts';
import { nextState, stateWrites } from '#shared/domain/botChat/states/writeState.ts';
import { StateView, viewState } from '#shared/domain/messaging/botViews/stateView.ts';
import { etag } from '#shared/domain/messaging/botViews/viewFields.ts';
import { loadValue } from '#shared/storage/dynamodb/engine/largeValue.ts';
import { retryConflicts, write } from '#shared/storage/dynamodb/engine/transaction.ts';

export const patchState = botChatOperation({
  name: 'patchState',
  summary: 'Sets the given keys of an existing state and keeps the others.',
  scope: 'bot',
  method: 'PATCH',
  path: '/chat/states/{type}/{id}/{name}',
  table: 'writes',
  partitions: { writes: ['states'] },
  largeValues: 'writes',
  isVersioned: true,
  payloadLimitBytes: MEGABYTE,
  body: z.object({ payload: anything(), expiry: expiry() }),
  output: z.object({ state: StateView }),
  statuses: [200],

  handle: call =>
    retryConflicts(async () => {
      const { botId, input } = call;
      const path = parseStatePath(input);
      const { found, before } = await findStateToChange(call, path);
      const payload = { ...((await loadValue(before)) as Record<string, unknown>), ...input.payload };
      const state = await nextState(call, found, payload, input.expiry);
      await write(await stateWrites(botId, found, state));
      return { ...ok({ state: viewState(botId, state, path.name, payload) }), headers: etag(state.version) };
    }),
});
