import { EXAMPLE } from '#shared/api/reference/example.ts';
import { reference } from '#shared/api/reference/reference.ts';
import type { setHandoffPriority } from './setHandoffPriority.ts';

export default reference<typeof setHandoffPriority>({
  example: { path: { id: EXAMPLE.handoff }, body: { priority: 'urgent' } },
  budget: { calls: 2 },
});
