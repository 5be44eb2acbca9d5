import { ALIAS, DISCRIMINATION } from '#shared/api/reference/errors.ts';
import { reference } from '#shared/api/reference/reference.ts';
import type { getOrCreateConversation } from './getOrCreateConversation.ts';

export default reference<typeof getOrCreateConversation>({
  errors: [ALIAS, DISCRIMINATION],
  example: { body: { channel: 'channel', tags: { topic: 'coffee' } } },
  budget: { calls: 2 },
});
