import { EXAMPLE } from '#shared/api/reference/example.ts';
import { reference } from '#shared/api/reference/reference.ts';
import type { deleteBotApiKey } from './deleteBotApiKey.ts';

export default reference<typeof deleteBotApiKey>({
  example: { path: { id: EXAMPLE.botKey } },
  budget: { calls: 3 },
});
