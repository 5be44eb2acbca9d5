import { EXAMPLE } from '#shared/api/reference/example.ts';
import { reference } from '#shared/api/reference/reference.ts';
import type { createWorkflow } from './createWorkflow.ts';

export default reference<typeof createWorkflow>({
  example: { body: { name: 'order', status: 'pending', input: { cups: 2 }, userId: EXAMPLE.user } },
  budget: { calls: 1 },
});
