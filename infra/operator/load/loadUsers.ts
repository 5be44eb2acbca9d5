import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { clock } from '#shared/core/clock.ts';
import { compare, type Difference } from './compareReceived.ts';
import type { Caller } from './loadClient.ts';
import type { LoadBot } from './loadTenant.ts';
import type { Measurements } from './measurements.ts';

export interface Run {
  call: Caller;
  measurements: Measurements;
  signal: AbortSignal;
  pause(): Promise<void>;
}

export interface LoadUser {
  chatUrl: string;
  key: string;
  userId: string;
  conversationId: string;
  sentIds: string[];
}

/** Creates a user with a conversation. Returns undefined if a call fails. */
export async function createLoadUser({ call }: Run, { chatUrl }: LoadBot): Promise<LoadUser | undefined> {
  const user = await call('createUser', `${chatUrl}/users`, { method: 'POST', body: { name: 'Load' } });
  if (!user) return undefined;
  const headers = { 'x-user-key': user.key };
  const made = await call('createConversation', `${chatUrl}/conversations`, { method: 'POST', headers, body: {} });
  if (!made) return undefined;
  return { chatUrl, key: user.key, userId: user.user.id, conversationId: made.conversation.id, sentIds: [] };
}

/** Sends messages until the run ends, with occasional reads. @param random returns a number below 1 */
export async function sendMessages({ call, signal, pause }: Run, own: LoadUser, random: () => number): Promise<void> {
  const { chatUrl, key, conversationId, sentIds } = own;
  const headers = { 'x-user-key': key };
  while (!signal.aborted) {
    const text = `${sentIds.length} ${'filler text '.repeat(Math.floor(random() * 10))}`;
    const answer = await call('createMessage', `${chatUrl}/messages`, {
      method: 'POST',
      headers: { ...headers, 'idempotency-key': randomUUID() },
      body: { conversationId, payload: { type: 'text', text } },
    });
    if (answer) sentIds.push(answer.message.id);
    const choice = random();
    if (choice < 0.2) await call('listMessages', `${chatUrl}/conversations/${conversationId}/messages`, { headers });
    else if (choice < 0.3 && answer) await call('getMessage', `${chatUrl}/messages/${answer.message.id}`, { headers });
    else if (choice < 0.35) await call('getUser', `${chatUrl}/users/me`, { headers });
    else if (choice < 0.4) await call('listConversations', `${chatUrl}/conversations`, { headers });
    await pause();
  }
}

export interface Listed {
  id: string;
  userId: string;
}

async function readBack({ call }: Run, { chatUrl, key, conversationId }: LoadUser): Promise<Listed[] | undefined> {
  const all: Listed[] = [];
  let token: string | undefined;
  do {
    const query = token === undefined ? '' : `?nextToken=${encodeURIComponent(token)}`;
    const url = `${chatUrl}/conversations/${conversationId}/messages${query}`;
    const page = await call('listMessages', url, { headers: { 'x-user-key': key } });
    if (!page) return undefined;
    all.push(...page.messages);
    token = page.meta?.nextToken;
  } while (token);
  return all.reverse();
}

const POLL_MS = 500;

export interface Outcome {
  kept: Difference;
  replies: Difference;
  listed: Listed[];
}

/** Compares a user's messages with the list, after every reply has arrived or the time is up. */
export async function checkMessages(run: Run, own: LoadUser, untilMs: number): Promise<Outcome> {
  for (;;) {
    const messages = (await readBack(run, own)) ?? [];
    const byBot = messages.filter(({ userId }) => userId !== own.userId).length;
    if (byBot < own.sentIds.length && clock.now() < untilMs) {
      await sleep(POLL_MS);
      continue;
    }
    const expected = own.sentIds.length;
    const replies = {
      expected,
      lost: Math.max(0, expected - byBot),
      doubled: Math.max(0, byBot - expected),
      disordered: 0,
    };
    const kept = compare(
      own.sentIds,
      messages.map(({ id }) => id),
    );
    return { kept, replies, listed: messages };
  }
}

export interface Listener {
  conversationId: string;
  receivedIds: string[];
  reopened: number;
  stop(): void;
}

/** Listens to a conversation until stopped, and resumes streams that end. Resolves when the first stream is open. */
export async function listen({ measurements }: Run, { chatUrl, key, conversationId }: LoadUser): Promise<Listener> {
  const stopping = new AbortController();
  const receivedIds: string[] = [];
  const listener: Listener = { conversationId, receivedIds, reopened: 0, stop: () => stopping.abort() };
  let lastId: string | undefined;
  const open = async () => {
    const startMs = performance.now();
    const response = await fetch(`${chatUrl}/conversations/${conversationId}/listen`, {
      headers: { 'x-user-key': key, accept: 'text/event-stream', ...(lastId ? { 'last-event-id': lastId } : {}) },
      signal: stopping.signal,
    });
    measurements.took('listenConversation', performance.now() - startMs);
    if (!response.ok) throw new Error(String(response.status));
    return response;
  };
  const readStream = async (response: Response) => {
    let rest = '';
    for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
      const frames = (rest + chunk).split('\n\n');
      rest = frames.pop()!;
      for (const frame of frames) {
        lastId = /^id: ?(.+)$/m.exec(frame)?.[1] ?? lastId;
        const id = messageIn(frame);
        if (id) receivedIds.push(id);
      }
    }
  };
  const first = await open();
  void (async () => {
    for (let response: Response | undefined = first; !stopping.signal.aborted; response = undefined) {
      try {
        if (!response) listener.reopened++;
        await readStream(response ?? (await open()));
      } catch (error) {
        if (stopping.signal.aborted) return;
        measurements.failed('listenConversation', (error as Error).message);
        await sleep(POLL_MS);
      }
    }
  })();
  return listener;
}

function messageIn(frame: string): string | undefined {
  const data = /^data: ?(\{.*)$/m.exec(frame)?.[1];
  const signal = data && JSON.parse(data);
  return signal?.type === 'message_created' ? signal.data.id : undefined;
}
