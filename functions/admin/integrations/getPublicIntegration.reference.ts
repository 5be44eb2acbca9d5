import { reference } from '#shared/api/reference/reference.ts';
import type { getPublicIntegration } from './getPublicIntegration.ts';

export default reference<typeof getPublicIntegration>({
  example: { path: { name: 'mail', version: 'latest' } },
  budget: { calls: 3 },
});
