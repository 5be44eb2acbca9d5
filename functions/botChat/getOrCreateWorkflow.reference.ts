import { BOT_LIST } from '#shared/api/reference/costs.ts';
import { DISCRIMINATION } from '#shared/api/reference/errors.ts';
import { reference } from '#shared/api/reference/reference.ts';
import type { getOrCreateWorkflow } from './getOrCreateWorkflow.ts';

export default reference<typeof getOrCreateWorkflow>({
  errors: [DISCRIMINATION],
  example: { body: { name: 'order', status: 'pending', tags: { order: '42' } } },
  // Reads a claim and its tags in sequence.
  budget: { calls: BOT_LIST + 3 },
});
