import { EXAMPLE } from '#shared/api/reference/example.ts';
import { reference } from '#shared/api/reference/reference.ts';
import type { createNote } from './createNote.ts';

export default reference<typeof createNote>({
  example: { path: { conversationId: EXAMPLE.conversation }, body: { text: 'Prefers green tea.' } },
  budget: { calls: 2 },
});
