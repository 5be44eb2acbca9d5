import { EXAMPLE } from '#shared/api/reference/example.ts';
import { reference } from '#shared/api/reference/reference.ts';
import type { listFilePassages } from './listFilePassages.ts';

export default reference<typeof listFilePassages>({
  parameters: {
    pageSize: 'The maximum number of passages per page, from 1 to 200. Default: 20.',
    limit: 'Same as `pageSize`, which takes precedence.',
  },
  example: { path: { id: EXAMPLE.file } },
  budget: { calls: 1 },
});
