import { EXAMPLE } from '#shared/api/reference/example.ts';
import { reference } from '#shared/api/reference/reference.ts';
import type { updateBotDeliveries } from './updateBotDeliveries.ts';

export default reference<typeof updateBotDeliveries>({
  example: { path: { id: EXAMPLE.bot }, body: { attempts: 5, withinSeconds: 60 } },
  budget: { calls: 2 },
});
