import { withChecks } from '#shared/storage/dynamodb/engine/transaction.ts';
import type { PlatformMiddleware } from './platformState.ts';

export const conditionOnRights = (): PlatformMiddleware => ({
  before: ({ event: { call } }) => {
    if (!call.rights) return;
    const { commit, rights } = call;
    call.commit = (answer, writes) => commit(answer, withChecks(writes, rights));
  },
});
