import { EXAMPLE } from '#shared/api/reference/example.ts';
import { reference } from '#shared/api/reference/reference.ts';
import type { rotateIntegrationSigningSecrets } from './rotateIntegrationSigningSecrets.ts';

export default reference<typeof rotateIntegrationSigningSecrets>({
  example: { path: { id: EXAMPLE.integration } },
  budget: { calls: 2 },
});
