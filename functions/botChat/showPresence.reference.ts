import { EXAMPLE } from '#shared/api/reference/example.ts';
import { reference } from '#shared/api/reference/reference.ts';
import type { showPresence } from './showPresence.ts';

export default reference<typeof showPresence>({
  example: { path: { id: EXAMPLE.conversation }, body: { state: 'viewing' } },
  // Reads the conversation, then its presence and connections concurrently, and writes once.
  budget: { calls: 4, readUnits: 4, writeUnits: 1 },
});
