/** An OpenID Connect provider with people who sign in by their name, for tests of single sign-on. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import Provider from 'oidc-provider';

export interface ProviderPerson {
  email?: string;
  email_verified?: boolean;
  name?: string;
  groups?: string[];
}

export interface IdentityProvider {
  issuer: string;
  clientId: string;
  clientSecret: string;
  /** Registered. */
  redirectUri: string;
  people: Record<string, ProviderPerson>;
  /** Signs a person in at an authorization URL. @returns the parameters with which the browser returns */
  signIn(url: string, subject: string): Promise<URLSearchParams>;
  stop(): void;
}

const PERSON = 'x-person';

/** @param options.redirectUri the page that is registered */
export async function startIdentityProvider({
  redirectUri = 'https://console.example.com/',
}: {
  redirectUri?: string;
} = {}): Promise<IdentityProvider> {
  const server = createServer();
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  // A test that ends early must not keep its process alive.
  server.unref();
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const [clientId, clientSecret] = ['parley', 'a-secret-of-the-client'];
  const people: Record<string, ProviderPerson> = {};
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: clientId,
        client_secret: clientSecret,
        redirect_uris: [redirectUri],
        grant_types: ['authorization_code'],
        response_types: ['code'],
        token_endpoint_auth_method: 'client_secret_post',
      },
    ],
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name', 'groups'] },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_, { uid }) => `/interaction/${uid}` },
    findAccount: (_, id) => (people[id] ? { accountId: id, claims: () => ({ sub: id, ...people[id] }) } : undefined),
    // Grants what is requested, without asking.
    loadExistingGrant: async ({ oidc }) => {
      const grant = new oidc.provider.Grant({ clientId: oidc.client!.clientId, accountId: oidc.session!.accountId! });
      grant.addOIDCScope('openid email profile');
      await grant.save();
      return grant;
    },
    cookies: { keys: ['keys-of-a-test'] },
    ttl: { Interaction: 600, Session: 600, Grant: 600, AccessToken: 600, IdToken: 600, AuthorizationCode: 60 },
    jwks: { keys: [await newKey()] },
  });
  const serve = provider.callback();
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const url = new URL(request.url!, issuer);
    if (!url.pathname.startsWith('/interaction/')) return serve(request, response);
    const person = request.headers[PERSON] ?? url.searchParams.get('person');
    if (!person) return choosePerson(response, people);
    void provider.interactionFinished(request, response, { login: { accountId: String(person) } });
  });
  return { issuer, clientId, clientSecret, redirectUri, people, signIn, stop: () => server.close() };
}

async function newKey() {
  const { generateKeyPair, exportJWK } = await import('jose');
  const { privateKey } = await generateKeyPair('RS256', { extractable: true });
  return { ...(await exportJWK(privateKey)), alg: 'RS256', use: 'sig', kid: 'key' };
}

function choosePerson(response: ServerResponse, people: Record<string, ProviderPerson>): void {
  const links = Object.keys(people).map(name => `<a href="?person=${name}">${name}</a>`);
  response.setHeader('content-type', 'text/html').end(`<title>Provider</title><h1>Sign in</h1>${links.join(' ')}`);
}

/** Follows the redirects of the provider as a browser with cookies does. */
async function signIn(start: string, subject: string): Promise<URLSearchParams> {
  const { origin } = new URL(start);
  const cookies = new Map<string, string>();
  for (let url = start, hops = 0; hops < 10; hops++) {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(url, { redirect: 'manual', headers: { [PERSON]: subject, cookie } });
    for (const each of response.headers.getSetCookie()) {
      const [name, value] = each.split(';')[0]!.split('=') as [string, string];
      cookies.set(name, value);
    }
    const next = response.headers.get('location');
    if (!next) throw new Error(`The provider returned ${response.status}: ${await response.text()}`);
    const target = new URL(next, url);
    if (target.origin !== origin) return target.searchParams;
    url = target.href;
  }
  throw new Error('The provider redirects too often.');
}
