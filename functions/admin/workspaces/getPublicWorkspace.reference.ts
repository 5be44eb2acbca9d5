import { EXAMPLE } from '#shared/api/reference/example.ts';
import { reference } from '#shared/api/reference/reference.ts';
import type { getPublicWorkspace } from './getPublicWorkspace.ts';

export default reference<typeof getPublicWorkspace>({
  example: { path: { id: EXAMPLE.workspace } },
  budget: { calls: 1 },
});
