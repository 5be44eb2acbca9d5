import { EXAMPLE } from '#shared/api/reference/example.ts';
import { reference } from '#shared/api/reference/reference.ts';
import type { listBotVersions } from './listBotVersions.ts';

export default reference<typeof listBotVersions>({
  example: { path: { id: EXAMPLE.bot } },
  budget: { calls: 2 },
});
