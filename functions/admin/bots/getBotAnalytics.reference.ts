import { EXAMPLE, EXAMPLE_DAY } from '#shared/api/reference/example.ts';
import { reference } from '#shared/api/reference/reference.ts';
import type { getBotAnalytics } from './getBotAnalytics.ts';

export default reference<typeof getBotAnalytics>({
  parameters: {
    startDate: 'The first day, such as `2026-01-15`.',
    endDate: 'The last day, such as `2026-01-15`.',
  },
  example: { path: { id: EXAMPLE.bot }, query: { startDate: EXAMPLE_DAY, endDate: EXAMPLE_DAY } },
  budget: { calls: 2 },
});
