import { EXAMPLE } from '#shared/api/reference/example.ts';
import { reference } from '#shared/api/reference/reference.ts';
import type { showTyping } from './showTyping.ts';

export default reference<typeof showTyping>({
  example: { path: { id: EXAMPLE.conversation }, body: { isTyping: true } },
  budget: { calls: 2, readUnits: 1, writeUnits: 1 },
});
