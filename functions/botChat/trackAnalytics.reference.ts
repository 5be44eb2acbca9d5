import { limit } from '#shared/api/reference/errors.ts';
import { reference } from '#shared/api/reference/reference.ts';
import type { trackAnalytics } from './trackAnalytics.ts';

export default reference<typeof trackAnalytics>({
  errors: [limit('The day has the maximum number of names.')],
  example: { body: { name: 'order placed', count: 1 } },
  // Reads the names of the day, and adds to one.
  budget: { calls: 2 },
});
