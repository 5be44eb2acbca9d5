import { reference } from '#shared/api/reference/reference.ts';
import type { listFileTags } from './listFileTags.ts';

export default reference<typeof listFileTags>({
  example: {},
  budget: { calls: 1 },
});
