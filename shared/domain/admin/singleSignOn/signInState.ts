/**
 * The state of a sign-in that has begun. It travels through the browser, sealed, so that nobody can fill the table
 * without signing in. The browser that began the sign-in keeps a copy and compares it.
 */
import * as z from 'zod/mini';
import { environment } from '#shared/core/environment.ts';
import { ApiError } from '#shared/core/errors.ts';
import { parseKeyRing } from '#shared/core/keyRing.ts';
import { seal, unseal } from '#shared/core/seal.ts';

const SIGN_IN_MS = 10 * 60_000;
const BOUND_TO = 'single sign-on state';

const State = z.object({
  workspaceId: z.string(),
  singleSignOnId: z.string(),
  redirectUri: z.string(),
  codeVerifier: z.string(),
  nonce: z.string(),
  untilMs: z.number(),
});
export type SignInState = z.infer<typeof State>;

export function sealState(state: Omit<SignInState, 'untilMs'>, nowMs: number): string {
  const { current } = parseKeyRing(environment.sealingKey);
  const sealed = seal({ ...state, untilMs: nowMs + SIGN_IN_MS }, current.secret, BOUND_TO);
  return Buffer.from(sealed, 'base64').toString('base64url');
}

/** @throws ApiError Unauthorized for a state that is forged, or older than ten minutes */
export function openState(text: string, nowMs: number): SignInState {
  const state = parsed(text);
  if (!state || state.untilMs <= nowMs) {
    throw new ApiError('Unauthorized', 'The sign-in took too long or was started elsewhere. Start it again.');
  }
  return state;
}

function parsed(text: string): SignInState | undefined {
  const { current, other } = parseKeyRing(environment.sealingKey);
  const sealed = Buffer.from(text, 'base64url').toString('base64');
  for (const key of [current, other]) {
    if (!key) continue;
    try {
      return State.parse(unseal(sealed, key.secret, BOUND_TO));
    } catch {
      // Sealed with another key, or forged.
    }
  }
  return undefined;
}
