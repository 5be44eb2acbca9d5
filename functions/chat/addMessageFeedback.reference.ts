import { EXAMPLE } from '#shared/api/reference/example.ts';
import { reference } from '#shared/api/reference/reference.ts';
import type { addMessageFeedback } from './addMessageFeedback.ts';

export default reference<typeof addMessageFeedback>({
  example: { path: { id: EXAMPLE.message }, body: { value: 'positive', comment: 'That helped.' } },
  budget: { calls: 3, parallel: 2 },
});
