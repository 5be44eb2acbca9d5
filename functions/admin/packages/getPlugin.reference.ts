import { EXAMPLE } from '#shared/api/reference/example.ts';
import { reference } from '#shared/api/reference/reference.ts';
import type { getPlugin } from './getPlugin.ts';

export default reference<typeof getPlugin>({
  example: { path: { id: EXAMPLE.plugin } },
  budget: { calls: 1 },
});
