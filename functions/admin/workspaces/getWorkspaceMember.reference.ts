import { reference } from '#shared/api/reference/reference.ts';
import type { getWorkspaceMember } from './getWorkspaceMember.ts';

export default reference<typeof getWorkspaceMember>({
  example: {},
  budget: { calls: 1 },
});
