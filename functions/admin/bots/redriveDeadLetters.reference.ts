import { EXAMPLE } from '#shared/api/reference/example.ts';
import { reference } from '#shared/api/reference/reference.ts';
import type { redriveDeadLetters } from './redriveDeadLetters.ts';

export default reference<typeof redriveDeadLetters>({
  example: { path: { id: EXAMPLE.bot }, body: {} },
  budget: { calls: 2 },
});
