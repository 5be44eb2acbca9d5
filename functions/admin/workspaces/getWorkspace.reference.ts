import { EXAMPLE } from '#shared/api/reference/example.ts';
import { reference } from '#shared/api/reference/reference.ts';
import type { getWorkspace } from './getWorkspace.ts';

export default reference<typeof getWorkspace>({
  example: { path: { id: EXAMPLE.workspace } },
  budget: { calls: 2 },
});
