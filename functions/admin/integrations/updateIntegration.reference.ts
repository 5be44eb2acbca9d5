import { REFERENCES, VERSIONS } from '#shared/api/reference/errors.ts';
import { EXAMPLE } from '#shared/api/reference/example.ts';
import { reference } from '#shared/api/reference/reference.ts';
import type { updateIntegration } from './updateIntegration.ts';

export default reference<typeof updateIntegration>({
  errors: [...VERSIONS, REFERENCES],
  example: { path: { id: EXAMPLE.integration }, body: { title: 'Mail' } },
  budget: { calls: 2 },
});
