import { BOT_LIST } from '#shared/api/reference/costs.ts';
import { reference } from '#shared/api/reference/reference.ts';
import type { listEvents } from './listEvents.ts';

export default reference<typeof listEvents>({
  parameters: {
    type: 'Returns only events of this type. Types of an integration start with its alias.',
    messageId: 'Filters by message.',
  },
  example: { query: { type: 'reminder' } },
  budget: { calls: BOT_LIST },
});
