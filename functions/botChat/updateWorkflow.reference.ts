import { EXAMPLE } from '#shared/api/reference/example.ts';
import { reference } from '#shared/api/reference/reference.ts';
import type { updateWorkflow } from './updateWorkflow.ts';

export default reference<typeof updateWorkflow>({
  example: { path: { id: EXAMPLE.workflow }, body: { status: 'completed', output: { paid: true } } },
  budget: { calls: 2 },
});
