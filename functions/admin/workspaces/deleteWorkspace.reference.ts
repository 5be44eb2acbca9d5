import { EXAMPLE } from '#shared/api/reference/example.ts';
import { reference } from '#shared/api/reference/reference.ts';
import type { deleteWorkspace } from './deleteWorkspace.ts';

export default reference<typeof deleteWorkspace>({
  example: { path: { id: EXAMPLE.workspace } },
  budget: { calls: 1 },
});
