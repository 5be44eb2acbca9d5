import { reference } from '#shared/api/reference/reference.ts';
import type { configureIntegration } from './configureIntegration.ts';

export default reference<typeof configureIntegration>({
  example: { body: { identifier: 'acct_1' } },
  budget: { calls: 2 },
});
