import { EXAMPLE } from '#shared/api/reference/example.ts';
import { reference } from '#shared/api/reference/reference.ts';
import type { listPendingDeliveries } from './listPendingDeliveries.ts';

export default reference<typeof listPendingDeliveries>({
  example: { path: { id: EXAMPLE.conversation } },
  // Reads the conversation and its pauses. Pending deliveries cost a list and the endpoint's state.
  budget: { calls: 3 },
});
