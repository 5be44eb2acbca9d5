import { reference } from '#shared/api/reference/reference.ts';
import type { setInboxAvailability } from './setInboxAvailability.ts';

export default reference<typeof setInboxAvailability>({
  example: { body: { availability: 'away' } },
  budget: { calls: 1 },
});
