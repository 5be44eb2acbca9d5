import { EXAMPLE } from '#shared/api/reference/example.ts';
import { reference } from '#shared/api/reference/reference.ts';
import type { deleteFile } from './deleteFile.ts';

export default reference<typeof deleteFile>({
  example: { path: { id: EXAMPLE.file } },
  budget: { calls: 2 },
});
