import { REFERENCES, VERSIONS } from '#shared/api/reference/errors.ts';
import { reference } from '#shared/api/reference/reference.ts';
import type { createPlugin } from './createPlugin.ts';

export default reference<typeof createPlugin>({
  errors: [...VERSIONS, REFERENCES],
  example: {
    body: { name: 'greeter', version: '1.0.0', code: { node: 'module.exports = {}', browser: 'export default {}' } },
  },
  // Includes the quota and the staging of two texts.
  budget: { calls: 4 },
});
