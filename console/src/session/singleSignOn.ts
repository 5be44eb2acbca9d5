/**
 * A sign-in that is under way at an identity provider. The tab keeps its state, and accepts only a return with the same
 * one: otherwise a link could sign its victim in as somebody else.
 */
const PENDING_KEY = 'parley-console-sign-in';
const WORKSPACE_KEY = 'parley-console-workspace';

interface Pending {
  state: string;
  /** Page of the console to which the person returns. */
  hash: string;
}

/** What the provider returned with. */
export type Return = { state: string; code: string; iss?: string } | { fault: string };

export const redirectUri = (): string => location.origin + location.pathname;

export function rememberPending(state: string): void {
  sessionStorage.setItem(PENDING_KEY, JSON.stringify({ state, hash: location.hash } satisfies Pending));
}

/**
 * Reads what the provider returned with, and removes it from the address bar and the history.
 * @returns undefined for any other visit; `{ fault: '' }` for a return that this tab did not begin
 */
export function takeReturn(): Return | undefined {
  const parameters = new URLSearchParams(location.search);
  const [state, code, error] = ['state', 'code', 'error'].map(name => parameters.get(name));
  if (!state || !(code || error)) return undefined;
  const pending: Pending | null = JSON.parse(sessionStorage.getItem(PENDING_KEY) ?? 'null');
  sessionStorage.removeItem(PENDING_KEY);
  const isOwn = pending?.state === state;
  history.replaceState(null, '', location.pathname + (isOwn ? pending.hash : ''));
  if (!isOwn) return { fault: '' };
  if (!code) return { fault: parameters.get('error_description') ?? error! };
  const iss = parameters.get('iss');
  return { state, code, ...(iss === null ? {} : { iss }) };
}

/** Returns the workspace of a link to the sign-in, or the one that was used last in this browser. */
export const workspaceToSignIn = (): string =>
  new URLSearchParams(location.search).get('workspace') ?? localStorage.getItem(WORKSPACE_KEY) ?? '';

export const rememberWorkspace = (workspace: string): void => localStorage.setItem(WORKSPACE_KEY, workspace);

/** Link with which people open the sign-in of a workspace. */
export const singleSignOnLink = (workspace: string): string =>
  `${redirectUri()}?workspace=${encodeURIComponent(workspace)}`;
