import { reference } from '#shared/api/reference/reference.ts';
import type { listSavedReplies } from './listSavedReplies.ts';

export default reference<typeof listSavedReplies>({
  example: {},
  budget: { calls: 2 },
});
