import { EXAMPLE } from '#shared/api/reference/example.ts';
import { reference } from '#shared/api/reference/reference.ts';
import type { getFile } from './getFile.ts';

export default reference<typeof getFile>({
  example: { path: { id: EXAMPLE.file } },
  // Reads again, because the upload is pending.
  budget: { calls: 2 },
});
