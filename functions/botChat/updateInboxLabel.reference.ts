import { exists } from '#shared/api/reference/errors.ts';
import { EXAMPLE } from '#shared/api/reference/example.ts';
import { reference } from '#shared/api/reference/reference.ts';
import type { updateInboxLabel } from './updateInboxLabel.ts';

export default reference<typeof updateInboxLabel>({
  errors: [exists('The workspace has another label with this name.')],
  example: { path: { id: EXAMPLE.label }, body: { color: 'red' } },
  budget: { calls: 2 },
});
