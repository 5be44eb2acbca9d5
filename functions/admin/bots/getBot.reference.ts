import { EXAMPLE } from '#shared/api/reference/example.ts';
import { reference } from '#shared/api/reference/reference.ts';
import type { getBot } from './getBot.ts';

export default reference<typeof getBot>({
  example: { path: { id: EXAMPLE.bot } },
  budget: { calls: 2 },
});
