import { BOT_LIST } from '#shared/api/reference/costs.ts';
import { limit, NO_CONVERSATION } from '#shared/api/reference/errors.ts';
import { reference } from '#shared/api/reference/reference.ts';
import type { listUsers } from './listUsers.ts';

export default reference<typeof listUsers>({
  errors: [NO_CONVERSATION, limit('The conversation has too many users to sort.')],
  parameters: {
    rangeField: 'The time that `afterDate` and `beforeDate` filter by.',
  },
  example: { query: { pageSize: '10' } },
  budget: { calls: BOT_LIST },
});
