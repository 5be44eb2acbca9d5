import { reference } from '#shared/api/reference/reference.ts';
import type { setWorkspacePreference } from './setWorkspacePreference.ts';

export default reference<typeof setWorkspacePreference>({
  example: { path: { key: 'language' }, body: { value: 'en' } },
  budget: { calls: 2 },
});
