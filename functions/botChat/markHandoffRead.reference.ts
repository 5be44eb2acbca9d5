import { ASSIGNED } from '#shared/api/reference/errors.ts';
import { EXAMPLE } from '#shared/api/reference/example.ts';
import { reference } from '#shared/api/reference/reference.ts';
import type { markHandoffRead } from './markHandoffRead.ts';

export default reference<typeof markHandoffRead>({
  errors: [ASSIGNED],
  example: { path: { id: EXAMPLE.assignedHandoff }, body: { messageId: EXAMPLE.assignedMessage } },
  // Reads the handoff and the message, and writes once.
  budget: { calls: 3 },
});
