import { reference } from '#shared/api/reference/reference.ts';
import type { listFiles } from './listFiles.ts';

export default reference<typeof listFiles>({
  parameters: {
    indexed: 'Filters files by whether they are searchable.',
  },
  example: { query: { pageSize: '10', sortField: 'updatedAt', sortDirection: 'desc' } },
  // Reads the list's entries, all files in one call, and files with a pending upload again.
  budget: { calls: 3 },
});
