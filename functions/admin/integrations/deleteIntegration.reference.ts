import { error } from '#shared/api/reference/errors.ts';
import { EXAMPLE } from '#shared/api/reference/example.ts';
import { reference } from '#shared/api/reference/reference.ts';
import type { deleteIntegration } from './deleteIntegration.ts';

export default reference<typeof deleteIntegration>({
  errors: [error('ReferenceConstraint', 'The integration is installed on a bot.')],
  example: { path: { id: EXAMPLE.integration } },
  budget: { calls: 3 },
});
