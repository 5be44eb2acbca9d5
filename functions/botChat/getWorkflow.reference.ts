import { EXAMPLE } from '#shared/api/reference/example.ts';
import { reference } from '#shared/api/reference/reference.ts';
import type { getWorkflow } from './getWorkflow.ts';

export default reference<typeof getWorkflow>({
  example: { path: { id: EXAMPLE.workflow } },
  budget: { calls: 1 },
});
