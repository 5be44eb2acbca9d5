import { ALIAS, BY_INTEGRATION } from '#shared/api/reference/errors.ts';
import { reference } from '#shared/api/reference/reference.ts';
import type { createConversation } from './createConversation.ts';

export default reference<typeof createConversation>({
  errors: [ALIAS, ...BY_INTEGRATION],
  example: { body: { channel: 'channel', integrationName: 'chat', tags: { topic: 'tea' } } },
  // Reads the existing tags and writes once.
  budget: { calls: 2 },
});
