import { reference } from '#shared/api/reference/reference.ts';
import type { getPluginByName } from './getPluginByName.ts';

export default reference<typeof getPluginByName>({
  example: { path: { name: 'digest', version: 'latest' } },
  budget: { calls: 2 },
});
