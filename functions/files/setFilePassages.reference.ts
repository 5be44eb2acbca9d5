import { EXAMPLE } from '#shared/api/reference/example.ts';
import { reference } from '#shared/api/reference/reference.ts';
import type { setFilePassages } from './setFilePassages.ts';

export default reference<typeof setFilePassages>({
  example: {
    path: { id: EXAMPLE.file },
    body: { passages: [{ content: 'The kettle boils at dawn.' }] },
  },
  // Reads the file, its passages and the mark of an earlier indexing, and writes once.
  budget: { calls: 4 },
});
