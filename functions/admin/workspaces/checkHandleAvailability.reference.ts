import { reference } from '#shared/api/reference/reference.ts';
import type { checkHandleAvailability } from './checkHandleAvailability.ts';

export default reference<typeof checkHandleAvailability>({
  example: { body: { handle: 'tea-house' } },
  budget: { calls: 1 },
});
