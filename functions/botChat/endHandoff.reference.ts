import { ASSIGNED } from '#shared/api/reference/errors.ts';
import { EXAMPLE } from '#shared/api/reference/example.ts';
import { reference } from '#shared/api/reference/reference.ts';
import type { endHandoff } from './endHandoff.ts';

export default reference<typeof endHandoff>({
  errors: [ASSIGNED],
  example: { path: { id: EXAMPLE.handoff }, body: { servedBy: EXAMPLE.account, outcome: 'resolved' } },
  budget: { calls: 2 },
});
