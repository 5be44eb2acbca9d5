/** Signs in and out: a session is created and deleted through the API. */
import { browserName } from '../session/browserName.ts';
import { currentSession, enter, expire, leave, type Session } from '../session/session.ts';
import { isUnauthorised } from './explain.ts';
import { parley } from './parley.ts';

/**
 * Exchanges the token of a sign-in link or a personal access token for a session, which replaces the current one.
 * @throws the API's error for a token that is used, revoked or expired
 */
export async function signIn(token: string): Promise<void> {
  const { session } = await parley({ token }).createSession({ note: browserName() });
  const replaced = currentSession();
  enter(session);
  if (replaced) void endOnServer(replaced);
}

/**
 * Accepts an invitation with a new account and signs it in.
 * @returns the workspace
 */
export async function acceptInvitation(inviteToken: string, displayName: string): Promise<string> {
  const { session, workspaceId } = await parley({ token: '' }).acceptInvitation({
    inviteToken,
    ...(displayName ? { displayName } : {}),
    session: { note: browserName() },
  });
  enter(session!);
  return workspaceId;
}

/** Signs out all tabs immediately, and deletes the session on the server in the background. */
export function signOut(): void {
  const session = currentSession();
  const settled = leave();
  if (session) void settled.then(() => endOnServer(session));
}

/** Best effort, even while the page closes. A session that remains ends after 14 days without use. */
const endOnServer = ({ id, token }: Session): Promise<unknown> =>
  parley({ token, keepAlive: true })
    .deleteSession(id)
    .catch(() => undefined);

let isChecking = false;

/** Shows the sign-in page if the session has ended. A 401 may also mean that the workspace was deleted. */
export async function checkSession(error: unknown): Promise<void> {
  const session = currentSession();
  if (!session || isChecking || !isUnauthorised(error)) return;
  isChecking = true;
  try {
    await parley({ token: session.token }).listSessions();
  } catch (failure) {
    if (isUnauthorised(failure) && currentSession()?.id === session.id) expire();
  } finally {
    isChecking = false;
  }
}
