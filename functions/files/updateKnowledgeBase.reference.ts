import { EXAMPLE } from '#shared/api/reference/example.ts';
import { reference } from '#shared/api/reference/reference.ts';
import type { updateKnowledgeBase } from './updateKnowledgeBase.ts';

export default reference<typeof updateKnowledgeBase>({
  example: { path: { id: EXAMPLE.knowledgeBase }, body: { name: 'Guides' } },
  budget: { calls: 2 },
});
