import { EXAMPLE } from '#shared/api/reference/example.ts';
import { reference } from '#shared/api/reference/reference.ts';
import type { updateConversation } from './updateConversation.ts';

export default reference<typeof updateConversation>({
  example: { path: { id: EXAMPLE.conversation }, body: { tags: { topic: 'tea' } } },
  // Reads the conversation, the tag's entry and known tag values, and writes once.
  budget: { calls: 4 },
});
