import { EXAMPLE } from '#shared/api/reference/example.ts';
import { reference } from '#shared/api/reference/reference.ts';
import type { deleteNote } from './deleteNote.ts';

export default reference<typeof deleteNote>({
  example: { path: { id: EXAMPLE.note } },
  budget: { calls: 2 },
});
