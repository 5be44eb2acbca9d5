import { KNOWLEDGE_BASE } from '#shared/api/reference/errors.ts';
import { EXAMPLE } from '#shared/api/reference/example.ts';
import { reference } from '#shared/api/reference/reference.ts';
import type { updateFileMetadata } from './updateFileMetadata.ts';

export default reference<typeof updateFileMetadata>({
  errors: [KNOWLEDGE_BASE],
  example: { path: { id: EXAMPLE.file }, body: { tags: { product: 'tea' }, metadata: { pages: 1 } } },
  budget: { calls: 3 },
});
