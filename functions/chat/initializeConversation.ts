import * as z from 'zod/mini';
import { Frames, ok } from '#shared/api/operation.ts';
import { chatOperation } from '#shared/api/operations/chat.ts';
import { ApiError } from '#shared/core/errors.ts';
import { Cursor } from '#shared/domain/chat/listenCursor.ts';
import { listen } from '#shared/domain/chat/listening/listen.ts';
import { enterConversation, findOrCreateUser } from '#shared/domain/chat/webchat/enterConversation.ts';
import { loadInitialState } from '#shared/domain/chat/webchat/initialState.ts';
import { Init, WebchatSignal } from '#shared/domain/chat/webchat/webchatSignals.ts';

export const initializeConversation = chatOperation({
  name: 'initializeConversation',
  summary:
    'Streams a conversation to the webchat client as server-sent events, starting with its state. Creates a user without a user key, and a conversation without conversationId.',
  method: 'GET',
  path: '/initialize',
  access: { who: 'guest' },
  table: 'writes',
  largeValues: 'writes',
  query: z.object({ conversationId: z.optional(z.string()) }),
  streams: WebchatSignal,
  output: Frames,
  statuses: [200],

  handle: async call => {
    const { webhook, botId, input, lastEventId, nowMs, deadlineMs } = call;
    if (!call.caller && lastEventId) {
      // An EventSource that reconnects automatically would create a user each time.
      throw new ApiError(
        'Unauthorized',
        'The header x-user-key is missing. Continue with user.userKey and conversation.id of the signal init.',
      );
    }
    const { user, caller } = await findOrCreateUser(call);
    const participant = await enterConversation({ ...call, caller }, input.conversationId);
    const { init, positions } = await loadInitialState(webhook, { user, key: caller.key, participant });
    // Excludes messages that the state contains.
    const cursor = Cursor.after(positions, nowMs);
    return ok(listen({ botId, participant, cursor, deadlineMs, dialect: 'webchat', first: Init.parse(init) }));
  },
});
