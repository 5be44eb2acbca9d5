import { VERSIONS } from '#shared/api/reference/errors.ts';
import { EXAMPLE } from '#shared/api/reference/example.ts';
import { reference } from '#shared/api/reference/reference.ts';
import type { updateInterface } from './updateInterface.ts';

export default reference<typeof updateInterface>({
  errors: VERSIONS,
  example: { path: { id: EXAMPLE.interface }, body: { title: 'Listable' } },
  budget: { calls: 2 },
});
