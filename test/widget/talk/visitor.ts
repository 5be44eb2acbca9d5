/** Visitors of the widget over a shelf that their tabs share, and an unreliable network. */
import { afterEach, expect } from 'vitest';
import { type CuttingProxy, startCuttingProxy } from '#test/support/cuttingProxy.ts';
import { apiBaseUrl, eventually, type Installation, install, newUser } from '#test/support/platform.ts';
import { Memory, type Remembered, type Shelf } from '#widget/talk/memory.ts';
import { Talk, type TalkOptions } from '#widget/talk/talk.ts';
import type { Pauses } from '#widget/talk/transport.ts';

const PAUSES: Pauses = {
  firstMs: 20,
  longestMs: 200,
  silenceMs: 15_000,
  handshakeMs: 15_000,
  checkMs: 10_000,
  blockedMs: 30_000,
};

/** Stopped after each test of a file that calls {@link useVisitors}. */
export const began: { stop(): void }[] = [];

/** Ends visits after each test. Files of a worker share modules, so each file calls this. */
export function useVisitors(): void {
  afterEach(() => {
    for (const each of began.splice(0)) each.stop();
  });
}

export function newShelf(): Shelf {
  const all = new Map<string, string>();
  return {
    getItem: name => all.get(name) ?? null,
    setItem: (name, value) => void all.set(name, value),
    removeItem: name => void all.delete(name),
  };
}

/** Opens the chat in a tab. */
export function begin(chatUrl: string, options: TabOptions = {}): Talk {
  const talk = newTab(chatUrl, options);
  talk.start();
  return talk;
}

interface TabOptions extends Partial<Omit<TalkOptions, 'chatUrl' | 'memory' | 'pauses'>> {
  shelf?: Shelf;
  pauses?: Partial<Pauses>;
}

/** A tab with the closed chat. */
export function newTab(chatUrl: string, { shelf = newShelf(), pauses = {}, ...options }: TabOptions = {}): Talk {
  const memory = new Memory(chatUrl, shelf);
  const talk = new Talk({ ...options, chatUrl, memory, pauses: { ...PAUSES, ...pauses } });
  began.push(talk);
  return talk;
}

export const until = (expectation: () => void) => eventually(async () => expectation());
export const untilLive = (talk: Talk) =>
  until(() => expect(talk.state).toMatchObject({ phase: 'ready', connection: 'live' }));
/** Tries again after a failure, such as a call on a connection that was cut. */
export const untilEntered = (talk: Talk) =>
  until(() => {
    talk.start();
    expect(talk.state).toMatchObject({ phase: 'ready', connection: 'live' });
  });
export const texts = (talk: Talk) => talk.state.messages.map(({ payload }) => (payload as { text?: string }).text);
export const storedIn = (shelf: Shelf, chatUrl: string): Remembered => new Memory(chatUrl, shelf).read();
export const conversationOf = (shelf: Shelf, chatUrl: string): string => storedIn(shelf, chatUrl).conversationId!;

/** Creates another participant, who represents the bot. */
async function newOther(installation: Installation, shelf: Shelf, chatUrl: string) {
  const { client, key, user } = await newUser(installation);
  const memory = storedIn(shelf, chatUrl);
  const conversationId = memory.conversationId!;
  const response = await fetch(`${installation.chatUrl}/conversations/${conversationId}/participants`, {
    method: 'POST',
    headers: { 'x-user-key': memory.userKey!, 'content-type': 'application/json' },
    body: JSON.stringify({ userId: user.id }),
  });
  expect(response.ok).toBe(true);
  return {
    user,
    key,
    say: (text: string) => client.createMessage({ conversationId, payload: { type: 'text', text } }),
  };
}

export interface Visit {
  installation: Installation;
  proxy: CuttingProxy;
  shelf: Shelf;
  talk: Talk;
  chatUrl: string;
  other: Awaited<ReturnType<typeof newOther>>;
}

/** A guest who has opened the chat, and another participant. */
export async function visit(): Promise<Visit> {
  const installation = await install();
  const proxy = await startCuttingProxy(apiBaseUrl());
  began.push(proxy);
  const chatUrl = installation.chatUrl.replace(apiBaseUrl(), proxy.origin);
  const shelf = newShelf();
  const talk = begin(chatUrl, { shelf });
  await untilLive(talk);
  return { installation, proxy, shelf, talk, chatUrl, other: await newOther(installation, shelf, chatUrl) };
}

/** Deletes the conversation or the user of the visitor. */
export async function remove({ installation, shelf, chatUrl }: Visit, path: string): Promise<void> {
  const response = await fetch(installation.chatUrl + path, {
    method: 'DELETE',
    headers: { 'x-user-key': storedIn(shelf, chatUrl).userKey! },
  });
  expect(response.ok).toBe(true);
}
