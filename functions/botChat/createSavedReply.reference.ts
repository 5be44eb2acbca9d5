import { reference } from '#shared/api/reference/reference.ts';
import type { createSavedReply } from './createSavedReply.ts';

export default reference<typeof createSavedReply>({
  example: { body: { name: 'hours', text: 'We open at nine.' } },
  budget: { calls: 1 },
});
