import { REFERENCES, VERSIONS } from '#shared/api/reference/errors.ts';
import { reference } from '#shared/api/reference/reference.ts';
import type { validateIntegrationCreation } from './validateIntegrationCreation.ts';

export default reference<typeof validateIntegrationCreation>({
  errors: [...VERSIONS, REFERENCES],
  example: { body: { name: 'calendar', version: '2.0.0', title: 'Calendar' } },
  budget: { calls: 2 },
});
