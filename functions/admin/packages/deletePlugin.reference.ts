import { EXAMPLE } from '#shared/api/reference/example.ts';
import { reference } from '#shared/api/reference/reference.ts';
import type { deletePlugin } from './deletePlugin.ts';

export default reference<typeof deletePlugin>({
  example: { path: { id: EXAMPLE.plugin } },
  budget: { calls: 3 },
});
