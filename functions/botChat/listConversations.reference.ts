import { BOT_LIST } from '#shared/api/reference/costs.ts';
import { ALIAS } from '#shared/api/reference/errors.ts';
import { reference } from '#shared/api/reference/reference.ts';
import type { listConversations } from './listConversations.ts';

export default reference<typeof listConversations>({
  errors: [ALIAS],
  parameters: {
    participantIds: 'Filters by participants. All these users must be participants.',
    integrationName: 'Filters by the alias of an installation.',
    channel: 'Filters by channel.',
    minMessageCount: 'The minimum number of messages in a conversation.',
    maxMessageCount: 'The maximum number of messages in a conversation.',
  },
  example: { query: { pageSize: '10', sortField: 'updatedAt', sortDirection: 'desc' } },
  budget: { calls: BOT_LIST },
});
