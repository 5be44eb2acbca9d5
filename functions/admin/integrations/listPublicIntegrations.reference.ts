import { NO_BOT } from '#shared/api/reference/errors.ts';
import { reference } from '#shared/api/reference/reference.ts';
import type { listPublicIntegrations } from './listPublicIntegrations.ts';

export default reference<typeof listPublicIntegrations>({
  errors: [NO_BOT],
  parameters: { limit: 'Same as `pageSize`, which takes precedence.' },
  example: { query: { name: 'mail' } },
  // Reads the entries, the integrations, and the workspaces that publish them.
  budget: { calls: 3 },
});
