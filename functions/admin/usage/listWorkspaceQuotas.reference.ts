import { EXAMPLE } from '#shared/api/reference/example.ts';
import { reference } from '#shared/api/reference/reference.ts';
import type { listWorkspaceQuotas } from './listWorkspaceQuotas.ts';

export default reference<typeof listWorkspaceQuotas>({
  example: { path: { id: EXAMPLE.workspace } },
  budget: { calls: 1 },
});
