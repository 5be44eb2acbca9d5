/** What the platform's operations show alike. */
import * as z from 'zod/mini';
import type { Principal } from './operation.ts';

export const iso = (ms: number) => new Date(ms).toISOString();
export const dateTime = () => z.iso.datetime();
export const meta = z.object({ nextToken: z.optional(z.string()) });

export const callerIdOf = (principal: Principal) =>
  principal.kind === 'account'
    ? principal.account.id
    : principal.kind === 'bot'
      ? principal.botId
      : principal.integrationId;

/** A page out of one record more than fits: that one tells whether there is another page. */
export const pageOf = <T>(records: readonly T[], pageSize: number) => ({
  records: records.slice(0, pageSize),
  last: records.length > pageSize ? records[pageSize - 1] : undefined,
});
