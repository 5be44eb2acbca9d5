/** The session: tabs share local storage, and each has its own session storage. */
import { beforeEach, expect, it, vi } from 'vitest';

type SessionModule = typeof import('#console/src/session/session.ts');

class MemoryStorage {
  readonly items = new Map<string, string>();
  getItem = (key: string) => this.items.get(key) ?? null;
  setItem = (key: string, value: string) => void this.items.set(key, value);
  removeItem = (key: string) => void this.items.delete(key);
  clear = () => this.items.clear();
}

const idOf = (account: string, n: number) => `ses_${account.padEnd(22, '0')}${n}`;
const signedIn = (account: string, n = 1) => ({ id: idOf(account, n), value: `bp_ses_${account}_${n}` });

let local: MemoryStorage;
beforeEach(() => {
  local = new MemoryStorage();
});

/** Loads the module as a new tab, whose storage events the test sends. */
async function openTab() {
  const own = new MemoryStorage();
  let hear: ((event: object) => void) | undefined;
  const use = () => {
    vi.stubGlobal('localStorage', local);
    vi.stubGlobal('sessionStorage', own);
    vi.stubGlobal('addEventListener', (_: string, listener: typeof hear) => {
      hear = listener;
    });
  };
  use();
  vi.resetModules();
  const session: SessionModule = await import('#console/src/session/session.ts');
  const left = vi.fn();
  session.onAccountLeft(left);
  session.followOtherTabs();
  const change = () => {
    use();
    hear?.({ key: 'parley-console-session', storageArea: local });
  };
  return { session, left, own, use, change };
}

it('keeps the workspace of the tab when the same account signs in again', async () => {
  const { session } = await openTab();
  session.enter(signedIn('ada'));
  session.chooseWorkspace('wkspace_1');

  session.expire();
  session.enter(signedIn('ada', 2));

  expect(session.currentSession()).toMatchObject({ id: idOf('ada', 2), workspaceId: 'wkspace_1' });
});

it('discards the data of the tab when another account signs in', async () => {
  const { session, left, own } = await openTab();
  session.enter(signedIn('ada'));
  session.chooseWorkspace('wkspace_1');
  own.setItem('draft', 'secret');

  session.expire();
  session.enter(signedIn('bob'));

  expect(session.currentSession()?.workspaceId).toBeUndefined();
  expect(own.getItem('draft')).toBeNull();
  expect(left).toHaveBeenCalledTimes(1);
});

it('keeps drafts when the session expires, and discards them at a sign-out', async () => {
  const { session, own } = await openTab();
  session.enter(signedIn('ada'));
  own.setItem('draft', 'Hello');

  session.expire();
  const kept = own.getItem('draft');
  session.enter(signedIn('ada', 2));
  session.leave();

  expect([kept, own.getItem('draft')]).toEqual(['Hello', null]);
  expect(local.items.size).toBe(0);
});

it('follows the sign-in and the sign-out of another tab', async () => {
  const first = await openTab();
  const second = await openTab();

  first.use();
  first.session.enter(signedIn('ada'));
  first.session.chooseWorkspace('wkspace_1');
  second.change();
  const shared = second.session.currentSession();
  first.use();
  first.session.leave();
  second.change();

  expect(shared).toEqual({ id: idOf('ada', 1), token: 'bp_ses_ada_1', workspaceId: undefined });
  expect(second.session.currentSession()).toBeUndefined();
  expect(second.left).toHaveBeenCalledTimes(1);
});

it('is signed in after a reload', async () => {
  const { session } = await openTab();
  session.enter(signedIn('ada'));

  const reloaded = await openTab();

  expect(reloaded.session.currentSession()?.token).toBe('bp_ses_ada_1');
});
