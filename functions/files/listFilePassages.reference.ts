import { EXAMPLE } from '#shared/api/reference/example.ts';
import { reference } from '#shared/api/reference/reference.ts';
import type { listFilePassages } from './listFilePassages.ts';

export default reference<typeof listFilePassages>({
  parameters: {
    limit: 'The maximum number of passages per page. Same as `pageSize`.',
  },
  example: { path: { id: EXAMPLE.file } },
  budget: { calls: 1 },
});
