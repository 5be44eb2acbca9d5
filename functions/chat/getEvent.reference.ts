import { EXAMPLE } from '#shared/api/reference/example.ts';
import { reference } from '#shared/api/reference/reference.ts';
import type { getEvent } from './getEvent.ts';

export default reference<typeof getEvent>({
  example: { path: { id: EXAMPLE.event } },
  budget: { calls: 2, readUnits: 2, parallel: 2 },
});
