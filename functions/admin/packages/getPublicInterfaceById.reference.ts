import { EXAMPLE } from '#shared/api/reference/example.ts';
import { reference } from '#shared/api/reference/reference.ts';
import type { getPublicInterfaceById } from './getPublicInterfaceById.ts';

export default reference<typeof getPublicInterfaceById>({
  example: { path: { id: EXAMPLE.interface } },
  budget: { calls: 1 },
});
