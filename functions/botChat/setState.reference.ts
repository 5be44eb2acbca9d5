import { EXAMPLE } from '#shared/api/reference/example.ts';
import { reference } from '#shared/api/reference/reference.ts';
import type { setState } from './setState.ts';

export default reference<typeof setState>({
  example: { path: { type: 'conversation', id: EXAMPLE.conversation, name: 'order' }, body: { payload: { cups: 2 } } },
  budget: { calls: 2 },
});
