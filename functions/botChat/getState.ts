import * as z from 'zod/mini';
import { ok } from '#shared/api/operation.ts';
import { botChatOperation } from '#shared/api/operations/platform.ts';
import { findState, requirePayloadAccess, requireState } from '#shared/domain/botChat/states/findState.ts';
import { parseStatePath } from '#shared/domain/botChat/states/stateInputs.ts';
import { loadState, StateView } from '#shared/domain/messaging/botViews/stateView.ts';
import { etag } from '#shared/domain/messaging/botViews/viewFields.ts';

export const getState = botChatOperation({
  name: 'getState',
  summary:
    'Returns a state of a conversation, user, workflow, integration or the bot. Reading does not postpone its expiry.',
  scope: 'bot',
  method: 'GET',
  path: '/chat/states/{type}/{id}/{name}',
  table: 'reads',
  partitions: { reads: ['states'] },
  largeValues: 'reads',
  output: z.object({ state: StateView, meta: z.object({ cached: z.boolean() }) }),
  statuses: [200],

  handle: async call => {
    const path = parseStatePath(call.input);
    const found = await findState(call, path);
    requirePayloadAccess(call, found);
    const state = requireState(found, path);
    return {
      ...ok({ state: await loadState(call.botId, state, path.name), meta: { cached: false } }),
      headers: etag(state.version),
    };
  },
});
