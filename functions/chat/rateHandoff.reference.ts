import { error } from '#shared/api/reference/errors.ts';
import { EXAMPLE } from '#shared/api/reference/example.ts';
import { reference } from '#shared/api/reference/reference.ts';
import type { rateHandoff } from './rateHandoff.ts';

export default reference<typeof rateHandoff>({
  errors: [
    error('ResourceNotFound', 'The conversation has no handoff.'),
    error('RelationConflict', 'The handoff has not ended, or ended more than 7 days ago.'),
  ],
  example: { path: { id: EXAMPLE.conversation }, body: { value: 5, comment: 'Quick and friendly.' } },
  // Checks the participation, reads the last two handoffs, and writes once.
  budget: { calls: 3 },
});
