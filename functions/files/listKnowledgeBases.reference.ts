import { reference } from '#shared/api/reference/reference.ts';
import type { listKnowledgeBases } from './listKnowledgeBases.ts';

export default reference<typeof listKnowledgeBases>({
  example: {},
  budget: { calls: 1 },
});
