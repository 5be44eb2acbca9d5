import { reference } from '#shared/api/reference/reference.ts';
import type { listInterfaces } from './listInterfaces.ts';

export default reference<typeof listInterfaces>({
  example: { query: { name: 'listable' } },
  budget: { calls: 2 },
});
