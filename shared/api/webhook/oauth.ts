/**
 * Admits OAuth round trips. An integration stores whatever account a request to `/oauth` brings, so such a request must
 * belong to a round trip that a member of the workspace began: it carries the `state` which `createOAuthState` issued,
 * or the cookie which the browser got when it first arrived with that state (docs/api/webhook.md#oauth).
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

/** Returns whether an integration may handle a path as OAuth, including encoded and unnormalized spellings. */
export function isOAuthPath(path: string): boolean {
  const { pathname } = URL.parse(path, 'http://integration') ?? { pathname: path };
  return /^\/*oauth/i.test(decoded(pathname)) || /^\/*oauth/i.test(decoded(path));
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

interface Arrival {
  /** The query parameter `state`: one that was issued, or in further steps the webhook's id. */
  state: string | undefined;
  /** The webhook that the path names; undefined at the address that all installations share. */
  webhookId: string | undefined;
  /** The `Cookie` header. */
  cookie: string | undefined;
  nowMs: number;
}

/**
 * Finds the webhook of a round trip and binds the round trip to the browser.
 * @returns the webhook's id, and the cookie to set if this is the first arrival
 * @throws ApiError Forbidden unless the round trip is under way
 */
export async function admitRoundTrip(arrival: Arrival): Promise<{ webhookId: string; setCookie?: string }> {
  const { state, nowMs } = arrival;
  const webhookId = arrival.webhookId ?? (state !== undefined && isUuid(state) ? state : undefined);
  // An issued state takes precedence over the cookie, which may belong to an earlier round trip of the browser.
  if (state !== undefined && isOAuthState(state)) {
    const found = await findCurrent(state, nowMs);
    if (!found || (webhookId !== undefined && found.webhookId !== webhookId)) throw refused();
    if (found.browserHash === undefined) return begin(state, found, nowMs);
    if (!holds(cookieOf(arrival.cookie, found.webhookId), state, found)) throw refused();
    return { webhookId: found.webhookId };
  }
  const held = webhookId === undefined ? undefined : cookieOf(arrival.cookie, webhookId);
  if (!held) throw refused();
  const found = await findCurrent(held.state, nowMs);
  if (!found || found.webhookId !== webhookId || !holds(held, held.state, found)) throw refused();
  return { webhookId: found.webhookId };
}

/** Removes the cookies of round trips from a `Cookie` header: all integrations have the same host. */
export function withoutRoundTrips(cookie: string): string {
  return cookie
    .split(';')
    .map(each => each.trim())
    .filter(each => each !== '' && !each.startsWith(COOKIE))
    .join('; ');
}

/** Returns a round trip that has not expired and whose member still has the role in which they began it. */
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

interface Held {
  state: string;
  secret: string;
}

function cookieOf(header: string | undefined, webhookId: string): Held | undefined {
  const name = `${COOKIE}${webhookId}=`;
  const cookie = header?.split(';').find(each => each.trim().startsWith(name));
  const [state = '', secret = ''] = cookie?.trim().slice(name.length).split('.') ?? [];
  return isOAuthState(state) ? { state, secret } : undefined;
}

const holds = (held: Held | undefined, state: string, { browserHash }: OAuthState) =>
  held?.state === state && browserHash === browserHashOf(held.secret);

const browserHashOf = (secret: string) => hashText('oauth browser', secret);

const refused = () =>
  new ApiError(
    'Forbidden',
    'OAuth needs the state of a round trip that a member began: create one with createOAuthState, and open the link with it. This one is unknown, has expired, or belongs to another browser.',
  );
