import { reference } from '#shared/api/reference/reference.ts';
import type { searchFiles } from './searchFiles.ts';

export default reference<typeof searchFiles>({
  parameters: {
    limit: 'The maximum number of passages in the response.',
    query: 'The search query: a question or keywords.',
    contextDepth: 'The number of passages to return before and after each match.',
    consolidate: 'Returns the passages of a file as one text.',
    includeBreadcrumb: 'Starts each passage with the headings above it.',
    withContext: 'Lists the passages around each match separately, as `context`.',
  },
  example: { query: { query: 'When does the kettle boil?' } },
  // Looks up the query's single word and the number of passages, without a match.
  budget: { calls: 2 },
});
