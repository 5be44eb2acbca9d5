import { EXAMPLE } from '#shared/api/reference/example.ts';
import { reference } from '#shared/api/reference/reference.ts';
import type { deleteKnowledgeBase } from './deleteKnowledgeBase.ts';

export default reference<typeof deleteKnowledgeBase>({
  example: { path: { id: EXAMPLE.knowledgeBase } },
  budget: { calls: 2 },
});
