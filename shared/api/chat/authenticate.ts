/** Authenticates the end user by the header `x-user-key`. */
import { header } from '#shared/api/steps/startCall.ts';
import type { ChatOperation } from './operation.ts';
import type { ChatMiddleware } from './state.ts';
import { verifyUserKey } from './userKey.ts';

export const authenticate = (operation: ChatOperation): ChatMiddleware => ({
  before: ({ event }) => {
    const { call } = event;
    const { webhook, sourceIp } = call;
    if (operation.access.who === 'anyone') {
      // Callers without a user are told apart by IP address: otherwise one could guess another's Idempotency-Key and
      // receive the user, and key, that it created.
      call.callerScope = [webhook.webhookId, 'address', sourceIp];
      return;
    }
    call.caller = verifyUserKey(webhook, header(event, 'x-user-key'));
    call.callerScope = [webhook.webhookId, 'user', call.caller.userId];
    call.countedFor = [
      ['user', `${webhook.webhookId} ${call.caller.userId}`],
      ['bot', webhook.botId],
    ];
  },
});
