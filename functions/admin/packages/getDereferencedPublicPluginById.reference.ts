import { DEREFERENCING } from '#shared/api/reference/errors.ts';
import { EXAMPLE } from '#shared/api/reference/example.ts';
import { reference } from '#shared/api/reference/reference.ts';
import type { getDereferencedPublicPluginById } from './getDereferencedPublicPluginById.ts';

export default reference<typeof getDereferencedPublicPluginById>({
  errors: DEREFERENCING,
  example: { path: { id: EXAMPLE.plugin }, query: { interfaces: '{}' } },
  budget: { calls: 1 },
});
