import { reference } from '#shared/api/reference/reference.ts';
import type { createSavedReply } from './createSavedReply.ts';

export default reference<typeof createSavedReply>({
  example: { body: { name: 'hours', text: 'Hello {{user.firstName}}, we open at nine.', scope: 'workspace' } },
  budget: { calls: 1 },
});
