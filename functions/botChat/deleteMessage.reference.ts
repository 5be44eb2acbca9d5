import { EXAMPLE } from '#shared/api/reference/example.ts';
import { reference } from '#shared/api/reference/reference.ts';
import type { deleteMessage } from './deleteMessage.ts';

export default reference<typeof deleteMessage>({
  example: { path: { id: EXAMPLE.message } },
  budget: { calls: 2 },
});
