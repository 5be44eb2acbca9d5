/** Calls to the OpenID Connect provider of a workspace. */
import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  type Configuration,
  calculatePKCECodeChallenge,
  customFetch,
  discovery,
  enableNonRepudiationChecks,
  fetchUserInfo,
  None,
  randomNonce,
  randomPKCECodeVerifier,
} from 'openid-client';
import { clock } from '#shared/core/clock.ts';
import { environment } from '#shared/core/environment.ts';
import { ApiError } from '#shared/core/errors.ts';
import { startOf } from '#shared/core/excerpt.ts';
import { errorFields, log } from '#shared/core/log.ts';
import { reasonOf } from '#shared/outbound/endpoints/callEndpoint.ts';
import type { SingleSignOn } from '#shared/storage/dynamodb/workspace/singleSignOn.ts';
import { fetchFromProvider } from './fetchFromProvider.ts';

/** Each call to the provider. A sign-in makes at most four. */
const TIMEOUT_SECONDS = 5;
/** Longer than providers keep former keys, which the library fetches on demand. */
const CACHE_MS = 10 * 60_000;
const CACHED = 100;

export interface ProviderClient {
  issuer: string;
  clientId: string;
  clientSecret: string | undefined;
}

const cache = new Map<string, { configuration: Configuration; untilMs: number }>();

/**
 * Reads the provider's metadata, or returns it from the cache.
 * @throws ApiError Runtime with the reason
 */
export async function openProvider(client: ProviderClient): Promise<Configuration> {
  const { issuer, clientId, clientSecret } = client;
  const name = JSON.stringify(client);
  const known = cache.get(name);
  if (known && known.untilMs > clock.now()) return known.configuration;
  try {
    const configuration = await discovery(
      new URL(issuer),
      clientId,
      clientSecret,
      clientSecret === undefined ? None() : undefined,
      {
        [customFetch]: (url, options) => fetchFromProvider(url, { ...options, signal: options.signal ?? undefined }),
        timeout: TIMEOUT_SECONDS,
        // Local providers have no certificate.
        execute: environment.arePrivateEndpointsAllowed
          ? [allowInsecureRequests, enableNonRepudiationChecks]
          : [enableNonRepudiationChecks],
      },
    );
    if (cache.size >= CACHED) cache.clear();
    cache.set(name, { configuration, untilMs: clock.now() + CACHE_MS });
    return configuration;
  } catch (error) {
    throw providerFault('Its configuration could not be read', error);
  }
}

/** Returns the issuer as the provider names it, which its tokens contain. */
export const issuerOf = (configuration: Configuration): string => configuration.serverMetadata().issuer;

/** Returns the address at which the person signs in. @param stateOf seals the secrets of the sign-in */
export async function authorizationOf(
  configuration: Configuration,
  { scope }: Pick<SingleSignOn, 'scope'>,
  redirectUri: string,
  stateOf: (secrets: { codeVerifier: string; nonce: string }) => string,
): Promise<{ url: string; state: string }> {
  const codeVerifier = randomPKCECodeVerifier();
  const nonce = randomNonce();
  const state = stateOf({ codeVerifier, nonce });
  const url = buildAuthorizationUrl(configuration, {
    redirect_uri: redirectUri,
    response_type: 'code',
    scope,
    state,
    nonce,
    code_challenge: await calculatePKCECodeChallenge(codeVerifier),
    code_challenge_method: 'S256',
  });
  return { url: url.href, state };
}

export interface Claims {
  subject: string;
  email: string | undefined;
  isEmailRefused: boolean;
  name: string | undefined;
  picture: string | undefined;
  groups: readonly string[];
}

/**
 * Exchanges the code of a sign-in. The ID token's signature, issuer, audience, expiry and nonce are checked. Claims
 * that it lacks are read from the provider's user info.
 * @throws ApiError Unauthorized, Runtime
 */
export async function claimsOf(
  configuration: Configuration,
  { groupsClaim }: Pick<SingleSignOn, 'groupsClaim'>,
  answer: URL,
  { codeVerifier, nonce, state }: { codeVerifier: string; nonce: string; state: string },
): Promise<Claims> {
  try {
    const tokens = await authorizationCodeGrant(configuration, answer, {
      pkceCodeVerifier: codeVerifier,
      expectedNonce: nonce,
      expectedState: state,
      idTokenExpected: true,
    });
    const claims: Record<string, unknown> = { ...tokens.claims()! };
    const lacksClaims = claims.email === undefined || claims[groupsClaim] === undefined || claims.name === undefined;
    if (lacksClaims && configuration.serverMetadata().userinfo_endpoint !== undefined) {
      const info = await fetchUserInfo(configuration, tokens.access_token, String(claims.sub));
      for (const [name, value] of Object.entries(info)) claims[name] ??= value;
    }
    return claimsIn(claims, groupsClaim);
  } catch (error) {
    if (error instanceof ApiError) throw error;
    throw providerFault('The sign-in failed', error);
  }
}

function claimsIn(claims: Record<string, unknown>, groupsClaim: string): Claims {
  const { sub, email, email_verified: isVerified, name, picture } = claims;
  const groups = claims[groupsClaim];
  const omitted = (claims._claim_names as Record<string, unknown> | undefined)?.[groupsClaim];
  if (groups === undefined && omitted !== undefined) {
    throw new ApiError(
      'Forbidden',
      `Your identity provider left out the claim ${groupsClaim}, because you are in too many groups. Its administrator can restrict the claim to groups that are assigned to this application.`,
    );
  }
  const textOf = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined);
  return {
    subject: String(sub),
    email: textOf(email),
    // Providers with registered domains omit the claim. Microsoft Entra ID sends no boolean.
    isEmailRefused: isVerified === false || isVerified === 'false',
    name: textOf(name),
    picture: textOf(picture),
    groups: (Array.isArray(groups) ? groups : [groups]).filter(each => typeof each === 'string'),
  };
}

/** Providers' own messages are for the person and the owner. Errors of the connection contain addresses. */
function providerFault(what: string, error: unknown): ApiError {
  const { error: code, error_description: description } = error as Record<string, unknown>;
  log.info('An identity provider could not be used.', { error: errorFields(error) });
  if (typeof code === 'string') {
    const reason = typeof description === 'string' ? `${code}: ${description}` : code;
    return new ApiError('Unauthorized', `The identity provider refused the sign-in: ${startOf(reason, 500)}`);
  }
  return new ApiError('Runtime', `${what}: ${faultOf(error)}. Check the single sign-on of the workspace.`);
}

/** The library's own errors have codes that start with `OAUTH_`. Others wrap those of the connection. */
function faultOf(error: unknown): string {
  const { code, cause, message } = error as Error & { code?: unknown };
  if (code === 'OAUTH_TIMEOUT') return `it did not respond within ${TIMEOUT_SECONDS} seconds`;
  if (typeof code !== 'string' || !code.startsWith('OAUTH_')) return reasonOf(cause ?? error);
  return cause instanceof Response ? `${message} (${cause.status})` : message;
}
