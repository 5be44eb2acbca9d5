import { error } from '#shared/api/reference/errors.ts';
import { EXAMPLE } from '#shared/api/reference/example.ts';
import { reference } from '#shared/api/reference/reference.ts';
import type { setSingleSignOn } from './setSingleSignOn.ts';

export default reference<typeof setSingleSignOn>({
  errors: [error('Runtime', 'The configuration of the provider could not be read from the issuer.')],
  example: {
    path: { id: EXAMPLE.workspace },
    body: {
      issuer: EXAMPLE.issuer,
      clientId: 'parley',
      clientSecret: EXAMPLE.clientSecret,
      roles: [{ group: 'support', role: 'agent' }],
      emailDomains: ['example.com'],
    },
  },
  // Reads the settings and the metadata of the provider.
  budget: { calls: 2 },
});
