import { exists } from '#shared/api/reference/errors.ts';
import { EXAMPLE } from '#shared/api/reference/example.ts';
import { reference } from '#shared/api/reference/reference.ts';
import type { updateWorkspace } from './updateWorkspace.ts';

export default reference<typeof updateWorkspace>({
  errors: [exists('Another workspace has the handle.'), exists('Another workspace has published this name.')],
  example: { path: { id: EXAMPLE.workspace }, body: { about: 'We sell tea.', website: 'https://example.com' } },
  budget: { calls: 3 },
});
