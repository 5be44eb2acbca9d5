import { reference } from '#shared/api/reference/reference.ts';
import type { getWorkspacePreference } from './getWorkspacePreference.ts';

export default reference<typeof getWorkspacePreference>({
  example: { path: { key: 'language' } },
  budget: { calls: 1 },
});
