import { EXAMPLE } from '#shared/api/reference/example.ts';
import { reference } from '#shared/api/reference/reference.ts';
import type { getSingleSignOn } from './getSingleSignOn.ts';

export default reference<typeof getSingleSignOn>({
  example: { path: { id: EXAMPLE.workspace } },
  budget: { calls: 1 },
});
