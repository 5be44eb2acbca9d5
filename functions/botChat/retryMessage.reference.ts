import { error } from '#shared/api/reference/errors.ts';
import { EXAMPLE } from '#shared/api/reference/example.ts';
import { reference } from '#shared/api/reference/reference.ts';
import type { retryMessage } from './retryMessage.ts';

export default reference<typeof retryMessage>({
  errors: [error('RelationConflict', 'No delivery of the message has failed or is pending.')],
  example: { path: { id: EXAMPLE.failedMessage } },
  // Reads the message, its event or pause, and writes once. A retry of a pending delivery reads and writes its pause.
  budget: { calls: 4 },
});
