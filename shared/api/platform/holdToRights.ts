/**
 * Makes the write of an operation that grants rights, or deletes for good, depend on the caller's own, as they are at
 * that moment.
 */
import { withChecks } from '#shared/storage/dynamodb/transaction.ts';
import type { PlatformMiddleware } from './state.ts';

export const holdToRights = (): PlatformMiddleware => ({
  before: ({ event: { call } }) => {
    if (!call.rights) return;
    const { commit, rights } = call;
    call.commit = (answer, writes) => commit(answer, withChecks(writes, rights));
  },
});
