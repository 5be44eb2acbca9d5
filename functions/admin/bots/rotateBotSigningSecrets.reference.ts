import { EXAMPLE } from '#shared/api/reference/example.ts';
import { reference } from '#shared/api/reference/reference.ts';
import type { rotateBotSigningSecrets } from './rotateBotSigningSecrets.ts';

export default reference<typeof rotateBotSigningSecrets>({
  example: { path: { id: EXAMPLE.bot } },
  budget: { calls: 2 },
});
