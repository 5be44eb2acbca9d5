/** Signs in and out: a session is created and deleted through the API. */
import { browserName } from '../session/browserName.ts';
import { chooseWorkspace, currentSession, enter, expire, leave, type Session } from '../session/session.ts';
import { redirectUri, rememberPending, rememberWorkspace } from '../session/singleSignOn.ts';
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

/** Opens the identity provider of a workspace. @throws the API's error for a workspace without one */
export async function startSingleSignOn(workspace: string): Promise<void> {
  const { url, state } = await parley({ token: '' }).startSingleSignOn({ workspace, redirectUri: redirectUri() });
  rememberPending(state);
  rememberWorkspace(workspace);
  location.assign(url);
}

/** Signs in with what the provider returned. @throws the API's error for a person without access */
export async function finishSingleSignOn(returned: { state: string; code: string; iss?: string }): Promise<void> {
  const { session, workspaceId } = await parley({ token: '' }).finishSingleSignOn({ ...returned, note: browserName() });
  const replaced = currentSession();
  enter(session);
  chooseWorkspace(workspaceId);
  if (replaced) void endOnServer(replaced);
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
