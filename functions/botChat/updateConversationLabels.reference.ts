import { EXAMPLE } from '#shared/api/reference/example.ts';
import { reference } from '#shared/api/reference/reference.ts';
import type { updateConversationLabels } from './updateConversationLabels.ts';

export default reference<typeof updateConversationLabels>({
  example: { path: { id: EXAMPLE.conversation }, body: { add: [EXAMPLE.label] } },
  // Reads the conversation and the labels, and writes once.
  budget: { calls: 3 },
});
