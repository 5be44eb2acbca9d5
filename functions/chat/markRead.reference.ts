import { EXAMPLE } from '#shared/api/reference/example.ts';
import { reference } from '#shared/api/reference/reference.ts';
import type { markRead } from './markRead.ts';

export default reference<typeof markRead>({
  example: { path: { id: EXAMPLE.conversation }, body: { messageId: EXAMPLE.message } },
  budget: { calls: 3, readUnits: 2, parallel: 2 },
});
