import { EXAMPLE } from '#shared/api/reference/example.ts';
import { reference } from '#shared/api/reference/reference.ts';
import type { updateMessage } from './updateMessage.ts';

export default reference<typeof updateMessage>({
  example: { path: { id: EXAMPLE.message }, body: { payload: { type: 'text', text: 'Hello again' } } },
  budget: { calls: 3, parallel: 2 },
});
