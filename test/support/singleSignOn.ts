/** An identity provider for the tests of a file, and calls with which workspaces use it. */
import { afterAll, beforeAll } from 'vitest';
import { type IdentityProvider, type ProviderPerson, startIdentityProvider } from './identityProvider.ts';
import type { TestWorkspace } from './platform.ts';

let count = 0;

export function useIdentityProvider() {
  let started: IdentityProvider;
  beforeAll(async () => {
    started = await startIdentityProvider();
  });
  afterAll(() => started.stop());
  const begin = async ({ call, id }: TestWorkspace, subject: string): Promise<Record<string, string>> => {
    const { body } = await call('POST', '/single-sign-on/start', {
      token: '',
      body: { workspace: id, redirectUri: started.redirectUri },
    });
    return Object.fromEntries(await started.signIn(body.url, subject));
  };
  return {
    get provider() {
      return started;
    },

    /** Adds a person to the provider. @returns the subject */
    newPerson(person: ProviderPerson = {}): string {
      const subject = `person${++count}`;
      started.people[subject] = { email: `${subject}@example.com`, email_verified: true, name: subject, ...person };
      return subject;
    },

    configure: ({ call, id }: TestWorkspace, fields: object = {}) =>
      call('PUT', `/workspaces/${id}/single-sign-on`, {
        body: { issuer: started.issuer, clientId: started.clientId, clientSecret: started.clientSecret, ...fields },
      }),

    /** Signs a person in at the provider. @returns the parameters with which it returns to the console */
    begin,

    async signIn(workspace: TestWorkspace, subject: string) {
      const body = { ...(await begin(workspace, subject)), note: 'Firefox, Linux' };
      return workspace.call('POST', '/single-sign-on/finish', { token: '', body });
    },
  };
}
