import { EXAMPLE } from '#shared/api/reference/example.ts';
import { reference } from '#shared/api/reference/reference.ts';
import type { getIntegration } from './getIntegration.ts';

export default reference<typeof getIntegration>({
  example: { path: { id: EXAMPLE.integration } },
  budget: { calls: 1 },
});
