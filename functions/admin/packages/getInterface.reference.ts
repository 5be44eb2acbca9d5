import { EXAMPLE } from '#shared/api/reference/example.ts';
import { reference } from '#shared/api/reference/reference.ts';
import type { getInterface } from './getInterface.ts';

export default reference<typeof getInterface>({
  example: { path: { id: EXAMPLE.interface } },
  budget: { calls: 1 },
});
