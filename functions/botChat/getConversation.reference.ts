import { EXAMPLE } from '#shared/api/reference/example.ts';
import { reference } from '#shared/api/reference/reference.ts';
import type { getConversation } from './getConversation.ts';

export default reference<typeof getConversation>({
  example: { path: { id: EXAMPLE.conversation } },
  budget: { calls: 1 },
});
