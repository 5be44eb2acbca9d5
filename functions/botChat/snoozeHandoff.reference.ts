import { ASSIGNED } from '#shared/api/reference/errors.ts';
import { EXAMPLE } from '#shared/api/reference/example.ts';
import { reference } from '#shared/api/reference/reference.ts';
import type { snoozeHandoff } from './snoozeHandoff.ts';

export default reference<typeof snoozeHandoff>({
  errors: [ASSIGNED],
  example: {
    path: { id: EXAMPLE.handoff },
    // A time would have to be in the future of every run.
    body: { until: null, servedBy: EXAMPLE.account },
  },
  budget: { calls: 2 },
});
