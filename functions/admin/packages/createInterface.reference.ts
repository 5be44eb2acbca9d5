import { VERSIONS } from '#shared/api/reference/errors.ts';
import { reference } from '#shared/api/reference/reference.ts';
import type { createInterface } from './createInterface.ts';

export default reference<typeof createInterface>({
  errors: VERSIONS,
  example: {
    body: {
      name: 'creatable',
      version: '1.0.0',
      entities: { item: { schema: { type: 'object', properties: { text: { type: 'string' } } } } },
    },
  },
  budget: { calls: 1 },
});
