import { error } from '#shared/api/reference/errors.ts';
import { EXAMPLE } from '#shared/api/reference/example.ts';
import { reference } from '#shared/api/reference/reference.ts';
import type { startSingleSignOn } from './startSingleSignOn.ts';

export default reference<typeof startSingleSignOn>({
  errors: [
    error('ResourceNotFound', 'No workspace with single sign-on has this handle or id.'),
    error('Runtime', 'The provider cannot be reached.'),
  ],
  example: { body: { workspace: EXAMPLE.workspace, redirectUri: 'https://console.example.com/' } },
  // Reads the workspace and the settings concurrently, after the handle.
  budget: { calls: 3 },
});
