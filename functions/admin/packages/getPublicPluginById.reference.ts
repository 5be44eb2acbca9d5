import { EXAMPLE } from '#shared/api/reference/example.ts';
import { reference } from '#shared/api/reference/reference.ts';
import type { getPublicPluginById } from './getPublicPluginById.ts';

export default reference<typeof getPublicPluginById>({
  example: { path: { id: EXAMPLE.plugin } },
  budget: { calls: 1 },
});
