import { error } from '#shared/api/reference/errors.ts';
import { EXAMPLE } from '#shared/api/reference/example.ts';
import { reference } from '#shared/api/reference/reference.ts';
import type { cancelScheduledEvent } from './cancelScheduledEvent.ts';

export default reference<typeof cancelScheduledEvent>({
  errors: [error('RelationConflict', 'The event is no longer scheduled.')],
  example: { path: { id: EXAMPLE.scheduledEvent } },
  budget: { calls: 2 },
});
