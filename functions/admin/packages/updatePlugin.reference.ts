import { REFERENCES, VERSIONS } from '#shared/api/reference/errors.ts';
import { EXAMPLE } from '#shared/api/reference/example.ts';
import { reference } from '#shared/api/reference/reference.ts';
import type { updatePlugin } from './updatePlugin.ts';

export default reference<typeof updatePlugin>({
  errors: [...VERSIONS, REFERENCES],
  example: { path: { id: EXAMPLE.plugin }, body: { title: 'Digest' } },
  budget: { calls: 2 },
});
