import { EXAMPLE } from '#shared/api/reference/example.ts';
import { reference } from '#shared/api/reference/reference.ts';
import type { deleteSingleSignOn } from './deleteSingleSignOn.ts';

export default reference<typeof deleteSingleSignOn>({
  example: { path: { id: EXAMPLE.workspace } },
  budget: { calls: 2 },
});
