import { EXAMPLE } from '#shared/api/reference/example.ts';
import { reference } from '#shared/api/reference/reference.ts';
import type { getWorkspaceExport } from './getWorkspaceExport.ts';

export default reference<typeof getWorkspaceExport>({
  example: { path: { id: EXAMPLE.workspace, exportId: EXAMPLE.export } },
  budget: { calls: 1 },
});
