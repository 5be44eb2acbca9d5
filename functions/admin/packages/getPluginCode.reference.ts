import { EXAMPLE } from '#shared/api/reference/example.ts';
import { reference } from '#shared/api/reference/reference.ts';
import type { getPluginCode } from './getPluginCode.ts';

export default reference<typeof getPluginCode>({
  example: { path: { id: EXAMPLE.plugin, platform: 'node' } },
  budget: { calls: 1 },
});
