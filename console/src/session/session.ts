/** The session. Its token is in session storage, which ends with the tab and is not readable by other origins. */
import { useSyncExternalStore } from 'react';

export interface Session {
  token: string;
  workspaceId: string | undefined;
}

const KEY = 'parley-console';
const TOKEN = /^[\w-]{20,200}$/;
const listeners = new Set<() => void>();
let current: Session | undefined = read();

function read(): Session | undefined {
  try {
    const session = JSON.parse(sessionStorage.getItem(KEY) ?? 'null');
    return typeof session?.token === 'string' ? session : undefined;
  } catch {
    return undefined;
  }
}

function set(next: Session | undefined): void {
  current = next;
  if (next) sessionStorage.setItem(KEY, JSON.stringify(next));
  else sessionStorage.clear();
  for (const listener of listeners) listener();
}

export const isToken = (text: string) => TOKEN.test(text);
export const signIn = (token: string) => set({ token, workspaceId: undefined });
export const signOut = () => set(undefined);

export function chooseWorkspace(workspaceId: string | undefined): void {
  if (!current) return;
  hasLeft = workspaceId === undefined;
  set({ ...current, workspaceId });
}

let hasLeft = false;
/** True after the user returned to the choice of workspaces. */
export const hasLeftWorkspace = (): boolean => hasLeft;

export const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

export const currentSession = (): Session | undefined => current;
export const useSession = (): Session | undefined => useSyncExternalStore(subscribe, () => current);

export interface LinkToken {
  token: string;
  id: string;
}

/**
 * Reads the token of a one-time link (`#token=…&id=…`) and immediately removes it from the address bar and history.
 * Fragments never reach a server.
 * @param url the address of the link, which a router may have replaced already
 */
export function takeTokenFromLink(url = location.href): LinkToken | undefined {
  const { hash } = new URL(url);
  if (!hash.startsWith('#token=')) return undefined;
  history.replaceState(null, '', location.pathname + location.search);
  const [, token, id] = /^#token=([^&]*)&id=([^&]*)$/.exec(hash) ?? [];
  return token && id && isToken(token) ? { token, id } : undefined;
}
