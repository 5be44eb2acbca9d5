import { error, KNOWLEDGE_BASE, STORAGE_QUOTA } from '#shared/api/reference/errors.ts';
import { reference } from '#shared/api/reference/reference.ts';
import type { upsertFile } from './upsertFile.ts';

export default reference<typeof upsertFile>({
  errors: [KNOWLEDGE_BASE, STORAGE_QUOTA, error('PayloadTooLarge', 'The value of `size` exceeds the limit of a file.')],
  example: { body: { key: 'manuals/kettle.pdf', size: 120_455, index: true, tags: { product: 'kettle' } } },
  // Reads the existing file and writes once. Tags cost another read.
  budget: { calls: 2 },
});
