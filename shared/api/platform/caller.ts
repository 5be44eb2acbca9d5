/** The id of a caller. */
import type { Principal } from './operation.ts';

export const callerIdOf = (principal: Principal) =>
  principal.kind === 'account'
    ? principal.account.id
    : principal.kind === 'bot'
      ? principal.botId
      : principal.integrationId;
