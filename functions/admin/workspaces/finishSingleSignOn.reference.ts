import { error } from '#shared/api/reference/errors.ts';
import { EXAMPLE } from '#shared/api/reference/example.ts';
import { reference } from '#shared/api/reference/reference.ts';
import type { finishSingleSignOn } from './finishSingleSignOn.ts';

export default reference<typeof finishSingleSignOn>({
  errors: [
    error('Unauthorized', 'The state is older than ten minutes, or the provider refuses the code.'),
    error('Forbidden', 'The person has no role in the workspace, or no verified email address.'),
    error('Runtime', 'The provider cannot be reached.'),
  ],
  example: {
    body: { state: EXAMPLE.signInState, code: EXAMPLE.signInCode, iss: EXAMPLE.issuer, note: 'Firefox, Linux' },
  },
  // Reads the settings twice, the identity, the account, the member and the sessions, and writes once.
  budget: { calls: 8 },
});
