import { EXAMPLE } from '#shared/api/reference/example.ts';
import { reference } from '#shared/api/reference/reference.ts';
import type { getOrSetState } from './getOrSetState.ts';

export default reference<typeof getOrSetState>({
  example: { path: { type: 'conversation', id: EXAMPLE.conversation, name: 'order' }, body: { payload: { cups: 1 } } },
  budget: { calls: 1 },
});
