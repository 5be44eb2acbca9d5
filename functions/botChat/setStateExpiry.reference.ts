import { EXAMPLE } from '#shared/api/reference/example.ts';
import { reference } from '#shared/api/reference/reference.ts';
import type { setStateExpiry } from './setStateExpiry.ts';

export default reference<typeof setStateExpiry>({
  example: { path: { type: 'conversation', id: EXAMPLE.conversation, name: 'order' }, body: { expiry: 3_600_000 } },
  budget: { calls: 2 },
});
