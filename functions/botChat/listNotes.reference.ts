import { EXAMPLE } from '#shared/api/reference/example.ts';
import { reference } from '#shared/api/reference/reference.ts';
import type { listNotes } from './listNotes.ts';

export default reference<typeof listNotes>({
  example: { path: { conversationId: EXAMPLE.conversation } },
  budget: { calls: 2 },
});
