/** Writes the entries by which users are found, for users that an earlier version stored. */
import { indexUsers } from '#shared/storage/dynamodb/chat/userTerms.ts';
import { scanList } from '#shared/storage/dynamodb/lists/scanLists.ts';
import type { Migration } from './migration.ts';

export const indexUsersByTerm: Migration = {
  number: 1,
  name: 'index-users-by-term',
  reads: ['users'],
  writes: ['userTerms'],
  scansLists: true,

  step: async cursor => {
    const { records, next } = await scanList('users', cursor === undefined ? undefined : JSON.parse(cursor));
    let changed = 0;
    for (const [botId, users] of Map.groupBy(records, user => user.botId)) {
      changed += await indexUsers(
        botId,
        users.map(({ id }) => id),
      );
    }
    return { changed, ...(next ? { next: JSON.stringify(next) } : {}) };
  },
};
