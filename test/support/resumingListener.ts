/** A client of Parley's protocol that reconnects after its last frame, and drops repeated ones. */
import { setTimeout as sleep } from 'node:timers/promises';
import { WebSocket } from 'ws';
import { SUBPROTOCOL } from '#shared/api/socket/subprotocol.ts';

const PAUSE_MS = 50;

export interface ResumingListener {
  /** Texts of users' messages, in the order of their arrival. */
  texts: readonly string[];
  /** Resolves with the time at which a text arrived. */
  received(text: string): Promise<number>;
  /** Cuts the connection as a failing network does. */
  cut(): void;
  cuts(): number;
  stop(): void;
}

/** @param chatUrl read before each connection @returns once the client is connected and ready */
export async function listenResuming(
  { chatUrl, key }: { chatUrl: () => string; key: string },
  conversationId: string,
): Promise<ResumingListener> {
  const receivedMs = new Map<string, number>();
  const waiting = new Map<string, (ms: number) => void>();
  const texts: string[] = [];
  const ids = new Set<string>();
  const { promise: ready, resolve: becomeReady } = Promise.withResolvers<void>();
  let last: string | undefined;
  let isStopped = false;
  let cuts = 0;
  let socket: WebSocket;

  const receive = (text: string): void => {
    const { id, type, data } = JSON.parse(text);
    if (type === 'ready') becomeReady();
    if (id === undefined || ids.has(id)) return;
    ids.add(id);
    if (last === undefined || id > last) last = id;
    if (type !== 'message_created' || data.isBot) return;
    const nowMs = performance.now();
    texts.push(data.payload.text);
    receivedMs.set(data.payload.text, nowMs);
    waiting.get(data.payload.text)?.(nowMs);
  };
  const connect = (): void => {
    const query = last === undefined ? '' : `?after=${last}`;
    const url = `${chatUrl().replace('http', 'ws')}/conversations/${conversationId}/listen${query}`;
    const current = new WebSocket(url, [SUBPROTOCOL, key]);
    socket = current;
    current.on('message', data => receive(String(data)));
    current.on('error', () => {});
    current.on('close', async () => {
      await sleep(PAUSE_MS);
      if (!isStopped) connect();
    });
  };
  connect();
  await ready;
  return {
    texts,
    received: async text => receivedMs.get(text) ?? new Promise(resolve => waiting.set(text, resolve)),
    cut: () => {
      cuts++;
      socket.terminate();
    },
    cuts: () => cuts,
    stop: () => {
      isStopped = true;
      socket.terminate();
    },
  };
}
