import { LEASES } from '#shared/api/reference/costs.ts';
import { EXAMPLE } from '#shared/api/reference/example.ts';
import { reference } from '#shared/api/reference/reference.ts';
import type { listenConversation } from './listenConversation.ts';

export default reference<typeof listenConversation>({
  example: { path: { id: EXAMPLE.conversation } },
  budget: { calls: 1 + LEASES, readUnits: 1, writeUnits: LEASES, parallel: LEASES },
});
