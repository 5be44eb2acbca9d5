import { ASSIGNED } from '#shared/api/reference/errors.ts';
import { EXAMPLE } from '#shared/api/reference/example.ts';
import { reference } from '#shared/api/reference/reference.ts';
import type { showTypingInHandoff } from './showTypingInHandoff.ts';

export default reference<typeof showTypingInHandoff>({
  errors: [ASSIGNED],
  example: { path: { id: EXAMPLE.assignedHandoff }, body: { isTyping: true } },
  budget: { calls: 2 },
});
