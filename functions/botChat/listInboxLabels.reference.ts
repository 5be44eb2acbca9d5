import { reference } from '#shared/api/reference/reference.ts';
import type { listInboxLabels } from './listInboxLabels.ts';

export default reference<typeof listInboxLabels>({
  example: {},
  budget: { calls: 1 },
});
