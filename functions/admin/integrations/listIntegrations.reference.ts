import { NO_BOT } from '#shared/api/reference/errors.ts';
import { reference } from '#shared/api/reference/reference.ts';
import type { listIntegrations } from './listIntegrations.ts';

export default reference<typeof listIntegrations>({
  errors: [NO_BOT],
  parameters: {
    limit: 'Same as `pageSize`, which takes precedence.',
    visibility: 'Filters integrations by visibility.',
  },
  example: { query: { name: 'mail' } },
  budget: { calls: 3 },
});
