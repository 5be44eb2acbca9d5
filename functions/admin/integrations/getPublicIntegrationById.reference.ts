import { EXAMPLE } from '#shared/api/reference/example.ts';
import { reference } from '#shared/api/reference/reference.ts';
import type { getPublicIntegrationById } from './getPublicIntegrationById.ts';

export default reference<typeof getPublicIntegrationById>({
  example: { path: { id: EXAMPLE.integration } },
  budget: { calls: 2 },
});
