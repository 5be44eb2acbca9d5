import { EXAMPLE } from '#shared/api/reference/example.ts';
import { reference } from '#shared/api/reference/reference.ts';
import type { patchState } from './patchState.ts';

export default reference<typeof patchState>({
  example: {
    path: { type: 'conversation', id: EXAMPLE.conversation, name: 'order' },
    body: { payload: { milk: true } },
  },
  budget: { calls: 2 },
});
