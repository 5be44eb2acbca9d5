/**
 * Admits OAuth round trips that a workspace member began, because the integration stores the account they bring. A
 * request carries the `state` of `createOAuthState`, or the cookie that the browser received with it
 * (docs/api/webhook.md#oauth).
 */

import { ApiError } from '#shared/core/errors.ts';
import { hashText, isUuid, randomText } from '#shared/core/ids.ts';
import {
  bindOAuthState,
  findOAuthState,
  isOAuthState,
  type OAuthState,
  ROUND_TRIP_MS,
} from '#shared/storage/dynamodb/chat/oauthStates.ts';
import { findMember } from '#shared/storage/dynamodb/workspace/workspaces.ts';

const COOKIE = 'parley-oauth-';

/** Servers decode paths once or more. A path that still changes after this many decodings is considered an attack. */
const DECODINGS = 5;

/** Matches paths that an integration may handle as OAuth, however they are encoded or relative. */
export function isOAuthPath(path: string): boolean {
  let spelling = path;
  for (let i = 0; i < DECODINGS; i++) {
    if (OAUTH_SEGMENT.test(spelling) || OAUTH_SEGMENT.test(withoutDots(spelling))) return true;
    const next = decoded(spelling);
    if (next === spelling) return false;
    spelling = next;
  }
  return true;
}

const OAUTH_SEGMENT = /^[/\\\s]*oauth/i;

/** Decodes paths that `decodeURIComponent` rejects because they also contain malformed escapes. */
const decoded = (path: string) =>
  path.replace(/%([0-9a-f]{2})/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)));

function withoutDots(path: string): string {
  const segments: string[] = [];
  for (const segment of path.replace(/[\t\n\r]/g, '').split(/[/\\]/)) {
    if (segment === '..') segments.pop();
    else if (segment !== '.' && segment !== '') segments.push(segment);
  }
  return `/${segments.join('/')}`;
}

interface Arrival {
  state: string | undefined;
  webhookId: string | undefined;
  cookie: string | undefined;
  nowMs: number;
}

/** Binds a round trip to the browser. `setCookie` is set at the first arrival. @throws ApiError Forbidden */
export async function admitRoundTrip(arrival: Arrival): Promise<{ webhookId: string; setCookie?: string }> {
  const { state, nowMs } = arrival;
  const webhookId = arrival.webhookId ?? (state !== undefined && isUuid(state) ? state : undefined);
  // The state takes precedence over the cookie, which may belong to an earlier round trip.
  if (state !== undefined && isOAuthState(state)) {
    const found = await findCurrent(state, nowMs);
    if (!found || (webhookId !== undefined && found.webhookId !== webhookId)) throw refused();
    if (found.browserHash === undefined) return begin(state, found, nowMs);
    if (!matchesCookie(cookieOf(arrival.cookie, found.webhookId), state, found)) throw refused();
    return { webhookId: found.webhookId };
  }
  const held = webhookId === undefined ? undefined : cookieOf(arrival.cookie, webhookId);
  if (!held) throw refused();
  const found = await findCurrent(held.state, nowMs);
  if (!found || found.webhookId !== webhookId || !matchesCookie(held, held.state, found)) throw refused();
  return { webhookId: found.webhookId };
}

/** Removes round-trip cookies from a `Cookie` header, because all integrations share a host. */
export function withoutRoundTrips(cookie: string): string {
  return cookie
    .split(';')
    .map(each => each.trim())
    .filter(each => each !== '' && !each.startsWith(COOKIE))
    .join('; ');
}

async function findCurrent(state: string, nowMs: number): Promise<OAuthState | undefined> {
  const found = await findOAuthState(state);
  if (!found || found.expiresAtMs <= nowMs) return undefined;
  const member = await findMember(found.workspaceId, found.memberId);
  return member?.role === found.role ? found : undefined;
}

async function begin(state: string, { webhookId }: OAuthState, nowMs: number) {
  const secret = randomText(32);
  if (!(await bindOAuthState(state, browserHashOf(secret), nowMs + ROUND_TRIP_MS))) throw refused();
  // SameSite=None, because providers and sandboxed pages send cross-site POST requests.
  const attributes = `Max-Age=${ROUND_TRIP_MS / 1000}; Path=/; HttpOnly; Secure; SameSite=None`;
  return { webhookId, setCookie: `${COOKIE}${webhookId}=${state}.${secret}; ${attributes}` };
}

interface RoundTripCookie {
  state: string;
  secret: string;
}

function cookieOf(header: string | undefined, webhookId: string): RoundTripCookie | undefined {
  const name = `${COOKIE}${webhookId}=`;
  const cookie = header?.split(';').find(each => each.trim().startsWith(name));
  const [state = '', secret = ''] = cookie?.trim().slice(name.length).split('.') ?? [];
  return isOAuthState(state) ? { state, secret } : undefined;
}

const matchesCookie = (held: RoundTripCookie | undefined, state: string, { browserHash }: OAuthState) =>
  held?.state === state && browserHash === browserHashOf(held.secret);

const browserHashOf = (secret: string) => hashText('oauth browser', secret);

const refused = () =>
  new ApiError(
    'Forbidden',
    'The OAuth state is unknown, has expired or belongs to another browser. Create one with createOAuthState, and open the link with it.',
  );
