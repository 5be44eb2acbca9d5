import { reference } from '#shared/api/reference/reference.ts';
import type { setAccountPreference } from './setAccountPreference.ts';

export default reference<typeof setAccountPreference>({
  example: { path: { key: 'theme' }, body: { value: 'dark' } },
  budget: { calls: 2 },
});
