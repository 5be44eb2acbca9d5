import { EXAMPLE } from '#shared/api/reference/example.ts';
import { reference } from '#shared/api/reference/reference.ts';
import type { getPresence } from './getPresence.ts';

export default reference<typeof getPresence>({
  example: { path: { id: EXAMPLE.conversation } },
  // Reads the conversation, then its presence and connections concurrently.
  budget: { calls: 3, readUnits: 4 },
});
