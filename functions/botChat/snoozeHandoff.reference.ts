import { ASSIGNED } from '#shared/api/reference/errors.ts';
import { EXAMPLE } from '#shared/api/reference/example.ts';
import { reference } from '#shared/api/reference/reference.ts';
import type { snoozeHandoff } from './snoozeHandoff.ts';

export default reference<typeof snoozeHandoff>({
  errors: [ASSIGNED],
  example: {
    path: { id: EXAMPLE.handoff },
    body: { until: '2030-01-02T09:00:00.000Z', servedBy: EXAMPLE.account },
  },
  budget: { calls: 2 },
});
