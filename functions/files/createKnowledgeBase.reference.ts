import { reference } from '#shared/api/reference/reference.ts';
import type { createKnowledgeBase } from './createKnowledgeBase.ts';

export default reference<typeof createKnowledgeBase>({
  example: { body: { name: 'Manuals', tags: { language: 'en' } } },
  budget: { calls: 1 },
});
