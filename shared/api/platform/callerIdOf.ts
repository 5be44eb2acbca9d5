import type { Principal } from '#shared/api/operations/platform.ts';

export const callerIdOf = (principal: Principal) =>
  principal.kind === 'account'
    ? principal.account.id
    : principal.kind === 'bot'
      ? principal.botId
      : principal.integrationId;
