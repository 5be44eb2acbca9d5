import { reference } from '#shared/api/reference/reference.ts';
import type { listPublicPlugins } from './listPublicPlugins.ts';

export default reference<typeof listPublicPlugins>({
  example: { query: { name: 'digest' } },
  budget: { calls: 2 },
});
