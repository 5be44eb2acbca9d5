import { reference } from '#shared/api/reference/reference.ts';
import type { listFiles } from './listFiles.ts';

export default reference<typeof listFiles>({
  parameters: {
    keyPrefix: 'Beginning of the keys, up to 200 characters. The files are then sorted by key.',
    ids: 'Returns only these files, one or more ids.',
    indexed: 'True returns only searchable files, false only others.',
  },
  example: { query: { pageSize: '10', sortField: 'updatedAt', sortDirection: 'desc' } },
  // Reads the list's entries, all files in one call, and files with a pending upload again.
  budget: { calls: 3 },
});
