import { reference } from '#shared/api/reference/reference.ts';
import type { getAccountPreference } from './getAccountPreference.ts';

export default reference<typeof getAccountPreference>({
  example: { path: { key: 'theme' } },
  budget: { calls: 1 },
});
