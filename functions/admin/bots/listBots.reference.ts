import { reference } from '#shared/api/reference/reference.ts';
import type { listBots } from './listBots.ts';

export default reference<typeof listBots>({
  parameters: {
    integrationNames: 'Filters by installed integrations. All of them must be installed.',
    pluginNames: 'Filters by plugins. The bot must use all of them.',
  },
  example: { query: { sortField: 'updatedAt', sortDirection: 'desc' } },
  // Reads the index, which has only keys, then the records, and then the breakers of their endpoints.
  budget: { calls: 3 },
});
