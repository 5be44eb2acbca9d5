import { exists, limit } from '#shared/api/reference/errors.ts';
import { reference } from '#shared/api/reference/reference.ts';
import type { createInboxLabel } from './createInboxLabel.ts';

export default reference<typeof createInboxLabel>({
  errors: [exists('The workspace has a label with this name.'), limit('The workspace has 100 labels.')],
  example: { body: { name: 'Billing', color: 'blue' } },
  // Reads the labels, and writes them with an audit record.
  budget: { calls: 2 },
});
