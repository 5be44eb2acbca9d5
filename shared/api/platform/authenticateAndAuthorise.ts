import { bearerToken } from '#shared/api/auth/bearerToken.ts';
import { identify } from '#shared/api/auth/identity.ts';
import type { PlatformOperation } from '#shared/api/operations/platform.ts';
import { callsAbout } from '#shared/api/rateLimit.ts';
import { header } from '#shared/api/steps/startCall.ts';
import { callerIdOf } from './callerIdOf.ts';
import type { PlatformMiddleware } from './platformState.ts';

export const authenticateAndAuthorise = (operation: PlatformOperation): PlatformMiddleware => {
  const finish: PlatformMiddleware['after'] = ({ event }) => event.call?.useRecorded;
  return {
    before: async ({ event }) => {
      const { call } = event;
      if (operation.scope === 'public') {
        Object.assign(call, { tenant: 'nowhere', callerKind: 'anyone', callerScope: ['anyone'], pageKey: '' });
        return;
      }
      const identity = await identify(operation, event, call.nowMs);
      const { principal, token, workspaceId, botId } = identity;
      const callerId = callerIdOf(principal);
      Object.assign(call, identity, {
        tenant: botId ?? workspaceId ?? callerId,
        callerScope: [principal.kind, callerId, workspaceId, botId, identity.installation?.webhookId],
        pageKey: token.pageKey,
        callerSecret: bearerToken(header(event, 'authorization')),
        keyId: token.id,
        callerKind: principal.kind,
        countedFor: [['token', token.id], ...(botId === undefined ? [] : [callsAbout(botId, 'tokens')])],
      });
    },
    after: finish,
    onError: finish,
  };
};
