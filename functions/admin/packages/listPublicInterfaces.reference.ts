import { reference } from '#shared/api/reference/reference.ts';
import type { listPublicInterfaces } from './listPublicInterfaces.ts';

export default reference<typeof listPublicInterfaces>({
  example: { query: { name: 'listable' } },
  budget: { calls: 2 },
});
