import type { ChatOperation } from '#shared/api/operations/chat.ts';
import { callsAbout } from '#shared/api/rateLimit.ts';
import { header } from '#shared/api/steps/startCall.ts';
import { requireAdminSecret } from './adminSecret.ts';
import type { ChatMiddleware } from './chatState.ts';
import { verifyUserKey } from './userKey.ts';

export const authenticate = (operation: ChatOperation): ChatMiddleware => ({
  before: ({ event }) => {
    const { call } = event;
    const { webhook } = call;
    const { who } = operation.access;
    const userKey = header(event, 'x-user-key');
    const adminSecret = header(event, 'x-admin-secret');
    if (who === 'admin') {
      requireAdminSecret(webhook, adminSecret);
      call.isAdmin = true;
      call.callerKind = 'admin';
      call.callerScope = [webhook.webhookId, 'admin'];
      call.callerSecret = adminSecret;
      call.countedFor = [['adminSecret', webhook.webhookId], callsAbout(webhook.botId, 'adminSecret')];
      return;
    }
    if (who === 'anyone' || (who === 'guest' && userKey === undefined)) {
      if (adminSecret !== undefined) requireAdminSecret(webhook, adminSecret);
      call.isAdmin = adminSecret !== undefined;
      call.callerKind = 'anyone';
      // Only a strong Idempotency-Key distinguishes these callers: see `makeIdempotent.ts`.
      call.callerScope = [webhook.webhookId, 'anyone'];
      return;
    }
    call.isAdmin = false;
    call.callerKind = 'user';
    call.caller = verifyUserKey(webhook, userKey);
    call.callerScope = [webhook.webhookId, 'user', call.caller.userId, call.caller.generation];
    call.countedFor = [['user', `${webhook.webhookId} ${call.caller.userId}`], callsAbout(webhook.botId, 'users')];
  },
});
