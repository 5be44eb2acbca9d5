import { EXAMPLE } from '#shared/api/reference/example.ts';
import { reference } from '#shared/api/reference/reference.ts';
import type { getPublicPluginCode } from './getPublicPluginCode.ts';

export default reference<typeof getPublicPluginCode>({
  example: { path: { id: EXAMPLE.plugin, platform: 'browser' } },
  budget: { calls: 1 },
});
