import { EXAMPLE } from '#shared/api/reference/example.ts';
import { reference } from '#shared/api/reference/reference.ts';
import type { introspect } from './introspect.ts';

export default reference<typeof introspect>({
  example: { body: { botId: EXAMPLE.bot } },
  budget: { calls: 1 },
});
