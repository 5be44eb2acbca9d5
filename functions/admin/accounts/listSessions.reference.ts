import { reference } from '#shared/api/reference/reference.ts';
import type { listSessions } from './listSessions.ts';

export default reference<typeof listSessions>({
  example: {},
  budget: { calls: 1 },
});
