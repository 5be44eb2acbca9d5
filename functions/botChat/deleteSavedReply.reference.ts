import { EXAMPLE } from '#shared/api/reference/example.ts';
import { reference } from '#shared/api/reference/reference.ts';
import type { deleteSavedReply } from './deleteSavedReply.ts';

export default reference<typeof deleteSavedReply>({
  example: { path: { id: EXAMPLE.savedReply } },
  budget: { calls: 2 },
});
