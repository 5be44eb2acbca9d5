import { EXAMPLE } from '#shared/api/reference/example.ts';
import { reference } from '#shared/api/reference/reference.ts';
import type { deleteInterface } from './deleteInterface.ts';

export default reference<typeof deleteInterface>({
  example: { path: { id: EXAMPLE.interface } },
  budget: { calls: 3 },
});
