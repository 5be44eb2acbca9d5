import { error } from '#shared/api/reference/errors.ts';
import { reference } from '#shared/api/reference/reference.ts';
import type { createEvent } from './createEvent.ts';

export default reference<typeof createEvent>({
  errors: [error('Forbidden', 'Only the platform or the integration itself may create events of this type.')],
  example: { body: { type: 'reminder', payload: { about: 'tea' }, schedule: { delay: 3_600_000 } } },
  budget: { calls: 1 },
});
