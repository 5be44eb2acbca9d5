import { EXAMPLE } from '#shared/api/reference/example.ts';
import { reference } from '#shared/api/reference/reference.ts';
import type { getState } from './getState.ts';

export default reference<typeof getState>({
  example: { path: { type: 'conversation', id: EXAMPLE.conversation, name: 'order' } },
  budget: { calls: 1 },
});
