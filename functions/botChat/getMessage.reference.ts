import { EXAMPLE } from '#shared/api/reference/example.ts';
import { reference } from '#shared/api/reference/reference.ts';
import type { getMessage } from './getMessage.ts';

export default reference<typeof getMessage>({
  example: { path: { id: EXAMPLE.message } },
  budget: { calls: 1 },
});
