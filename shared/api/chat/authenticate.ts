/** Authenticates the end user by the header `x-user-key`. */
import { header } from '#shared/api/steps/startCall.ts';
import type { ChatOperation } from './operation.ts';
import type { ChatMiddleware } from './state.ts';
import { verifyUserKey } from './userKey.ts';

export const authenticate = (operation: ChatOperation): ChatMiddleware => ({
  before: ({ event }) => {
    const { call } = event;
    const { webhook } = call;
    if (operation.access.who === 'anyone') {
      // Only a strong Idempotency-Key tells these callers apart: see `replayAnswer.ts`.
      call.callerScope = [webhook.webhookId, 'anyone'];
      return;
    }
    call.caller = verifyUserKey(webhook, header(event, 'x-user-key'));
    call.callerScope = [webhook.webhookId, 'user', call.caller.userId, call.caller.generation];
    call.countedFor = [
      ['user', `${webhook.webhookId} ${call.caller.userId}`],
      ['bot', webhook.botId],
    ];
  },
});
