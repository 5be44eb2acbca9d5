import { error } from '#shared/api/reference/errors.ts';
import { EXAMPLE } from '#shared/api/reference/example.ts';
import { reference } from '#shared/api/reference/reference.ts';
import type { updateMessage } from './updateMessage.ts';

export default reference<typeof updateMessage>({
  errors: [error('ResourceLockedConflict', 'The message is scheduled. Delete it and schedule another.')],
  example: { path: { id: EXAMPLE.message }, body: { tags: { kind: 'greeting' } } },
  budget: { calls: 3 },
});
