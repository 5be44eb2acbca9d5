import { EXAMPLE } from '#shared/api/reference/example.ts';
import { reference } from '#shared/api/reference/reference.ts';
import type { deleteWorkflow } from './deleteWorkflow.ts';

export default reference<typeof deleteWorkflow>({
  example: { path: { id: EXAMPLE.workflow } },
  budget: { calls: 2 },
});
