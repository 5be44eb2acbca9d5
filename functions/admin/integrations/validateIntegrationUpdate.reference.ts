import { REFERENCES, VERSIONS } from '#shared/api/reference/errors.ts';
import { EXAMPLE } from '#shared/api/reference/example.ts';
import { reference } from '#shared/api/reference/reference.ts';
import type { validateIntegrationUpdate } from './validateIntegrationUpdate.ts';

export default reference<typeof validateIntegrationUpdate>({
  errors: [...VERSIONS, REFERENCES],
  example: { path: { id: EXAMPLE.integration }, body: { title: 'Mail' } },
  budget: { calls: 1 },
});
