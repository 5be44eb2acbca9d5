/**
 * Session of the signed-in person, shared between tabs through local storage. The workspace is in session storage,
 * because each tab has its own. An expired session stays stored: only a sign-out ends the other tabs.
 */
import { useSyncExternalStore } from 'react';

/** A session as the API returns it. */
export interface SignedIn {
  id: string;
  value: string;
}

export interface Session {
  id: string;
  token: string;
  workspaceId: string | undefined;
}

const SESSION_KEY = 'parley-console-session';
const TAB_KEY = 'parley-console';
const TOKEN = /^[\w-]{20,200}$/;
const listeners = new Set<() => void>();
const farewells = new Set<() => unknown>();
const welcomes = new Set<() => void>();

let hasExpired = false;
let hasLeft = false;
let current: Session | undefined = read();
/** Account whose data this tab holds, also after the session expired. */
let account = current && accountOf(current.id);

/** Returns the part of a session's id that names its account (docs/api/conventions.md). */
function accountOf(id: string): string {
  return id.slice('ses_'.length, 'ses_'.length + 22);
}

function read(): Session | undefined {
  try {
    const { id, token } = JSON.parse(localStorage.getItem(SESSION_KEY) ?? 'null') ?? {};
    if (typeof id !== 'string' || typeof token !== 'string') return undefined;
    const tab = JSON.parse(sessionStorage.getItem(TAB_KEY) ?? 'null');
    return { id, token, workspaceId: tab?.account === accountOf(id) ? tab.workspaceId : undefined };
  } catch {
    return undefined;
  }
}

function show(next: Session | undefined): void {
  const before = current;
  current = next;
  if (next) {
    if (account !== undefined && account !== accountOf(next.id)) void discardTab();
    account = accountOf(next.id);
    hasExpired = false;
    if (next.token !== before?.token) for (const welcome of welcomes) welcome();
  }
  for (const listener of listeners) listener();
}

/** Discards what the tab has of an account. Resolves after the calls that still need the session. */
function discardTab(): Promise<unknown> {
  account = undefined;
  hasLeft = false;
  sessionStorage.clear();
  return Promise.allSettled([...farewells].map(farewell => farewell()));
}

export const isToken = (text: string) => TOKEN.test(text);

/** Signs all tabs in. A tab that showed the same account continues in its workspace. */
export function enter({ id, value: token }: SignedIn): void {
  localStorage.setItem(SESSION_KEY, JSON.stringify({ id, token }));
  show(read());
}

/** Signs all tabs out. Resolves when this tab no longer needs the session. */
export function leave(): Promise<unknown> {
  localStorage.removeItem(SESSION_KEY);
  const settled = discardTab();
  show(undefined);
  return settled;
}

/** Shows the sign-in page in this tab, after the API rejected the session. */
export function expire(): void {
  hasExpired = true;
  show(undefined);
}

/** Signs this tab in and out when another one does. A tab receives no event of its own changes. */
export function followOtherTabs(): void {
  addEventListener('storage', ({ key, storageArea }) => {
    if (storageArea !== localStorage || (key !== SESSION_KEY && key !== null)) return;
    const next = read();
    if (!next) {
      void discardTab();
      show(undefined);
    } else if (next.id !== current?.id) show(next);
  });
}

export function chooseWorkspace(workspaceId: string | undefined): void {
  if (!current) return;
  hasLeft = workspaceId === undefined;
  sessionStorage.setItem(TAB_KEY, JSON.stringify({ account, workspaceId }));
  show({ ...current, workspaceId });
}

/** True after the user returned to the choice of workspaces. */
export const hasLeftWorkspace = (): boolean => hasLeft;
/** True if the API rejected the session of this tab. */
export const hasSessionExpired = (): boolean => hasExpired;

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** Calls back when the tab must discard the data of an account: at a sign-out, or when another account signs in. */
export const onAccountLeft = (farewell: () => unknown) => void farewells.add(farewell);

/** Calls back when the tab has another session, before it is shown. */
export const onSignedIn = (welcome: () => void) => void welcomes.add(welcome);

export const currentSession = (): Session | undefined => current;
export const useSession = (): Session | undefined => useSyncExternalStore(subscribe, () => current);

export interface OpenedLink {
  /** Damaged: the link was cut off or changed, for example by a mail program. */
  kind: 'token' | 'invitation' | 'damaged';
  value: string;
}

/**
 * Reads a sign-in link (`#token=…`) or an invitation (`#invitation=…`) and immediately removes it from the address bar
 * and history. Fragments never reach a server.
 * @param url the address of the link, which a router may have replaced already
 */
export function takeLink(url = location.href): OpenedLink | undefined {
  const [, kind, value] = /^#(token|invitation)=(.*)$/.exec(new URL(url).hash) ?? [];
  if (!kind) return undefined;
  history.replaceState(null, '', location.pathname + location.search);
  return isToken(value!) ? { kind: kind as OpenedLink['kind'], value: value! } : { kind: 'damaged', value: '' };
}
