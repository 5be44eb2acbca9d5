import { EXAMPLE } from '#shared/api/reference/example.ts';
import { reference } from '#shared/api/reference/reference.ts';
import type { getHandoff } from './getHandoff.ts';

export default reference<typeof getHandoff>({
  example: { path: { id: EXAMPLE.handoff } },
  budget: { calls: 1 },
});
