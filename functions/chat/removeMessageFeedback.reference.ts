import { EXAMPLE } from '#shared/api/reference/example.ts';
import { reference } from '#shared/api/reference/reference.ts';
import type { removeMessageFeedback } from './removeMessageFeedback.ts';

export default reference<typeof removeMessageFeedback>({
  example: { path: { id: EXAMPLE.message } },
  budget: { calls: 3, parallel: 2 },
});
