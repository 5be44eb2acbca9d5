import { reference } from '#shared/api/reference/reference.ts';
import type { getPublicPlugin } from './getPublicPlugin.ts';

export default reference<typeof getPublicPlugin>({
  example: { path: { name: 'digest', version: 'latest' } },
  budget: { calls: 2 },
});
