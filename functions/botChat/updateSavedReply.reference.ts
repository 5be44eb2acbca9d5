import { EXAMPLE } from '#shared/api/reference/example.ts';
import { reference } from '#shared/api/reference/reference.ts';
import type { updateSavedReply } from './updateSavedReply.ts';

export default reference<typeof updateSavedReply>({
  example: { path: { id: EXAMPLE.savedReply }, body: { text: 'We open at eight.' } },
  budget: { calls: 2 },
});
