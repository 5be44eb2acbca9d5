/** Listens to a server that fails on request, as a tab does. */
import { afterEach, beforeEach, expect, vi } from 'vitest';
import { ChatApi, type ChatFault } from '#widget/talk/chatApi.ts';
import { EventStream } from '#widget/talk/eventStream.ts';
import { Fallback } from '#widget/talk/fallback.ts';
import type { Connection } from '#widget/talk/listener.ts';
import { Memory } from '#widget/talk/memory.ts';
import { SharedListener } from '#widget/talk/sharedListener.ts';
import type { Pauses, Transport } from '#widget/talk/transport.ts';
import { WebSocketTransport } from '#widget/talk/webSocket.ts';
import { type Connected, type ScriptedServer, startScriptedServer } from './scriptedServer.ts';

/** Replaced before each test. */
export let server: ScriptedServer;
let listeners: SharedListener[];

/** Starts a server before each test of a file. Files of a worker share modules, so each file calls this. */
export function useScriptedServer(): void {
  beforeEach(async () => {
    server = await startScriptedServer();
    listeners = [];
  });
  afterEach(() => {
    for (const listener of listeners) listener.stop();
    server.stop();
  });
}

const PAUSES: Pauses = {
  firstMs: 5,
  longestMs: 20,
  silenceMs: 60_000,
  handshakeMs: 60_000,
  checkMs: 60_000,
  blockedMs: 60_000,
};

type Over = 'webSocket' | 'eventStream' | 'either';

interface Options {
  onOpen?: (isResumed: boolean) => Promise<void>;
  pauses?: Partial<Pauses>;
  memory?: Memory;
}

export function listen(
  over: Over,
  { onOpen = async () => {}, pauses: changes, memory = new Memory('', undefined) }: Options = {},
) {
  const heard: number[] = [];
  const signals: unknown[] = [];
  const connections: Connection[] = [];
  const refusals: ChatFault[] = [];
  const opened: boolean[] = [];
  const pauses = { ...PAUSES, ...changes };
  const api = new ChatApi(server.url, 'key');
  const webSocket = new WebSocketTransport(api, 'c', pauses);
  const eventStream = new EventStream(api, 'c', pauses);
  const transports: Record<Over, Transport> = {
    webSocket,
    eventStream,
    either: new Fallback({ webSocket, eventStream, memory, pauses }),
  };
  const listener = new SharedListener({
    name: server.url,
    transport: transports[over],
    onOpen: async isResumed => {
      opened.push(isResumed);
      await onOpen(isResumed);
    },
    onSignal: signal => {
      signals.push(signal);
      heard.push(Number((signal.data as { id: string }).id));
    },
    onConnection: connection => {
      if (connection !== connections.at(-1)) connections.push(connection);
    },
    onRefused: fault => refusals.push(fault),
    pauses,
  });
  listeners.push(listener);
  listener.start();
  return { listener, heard, signals, connections, refusals, opened };
}

export const until = (expectation: () => void) => vi.waitFor(expectation, 30_000);
export const positions = () => server.asked.map(({ position }) => position);

/** Sends signals, then keeps the connection open. WebSockets that resume are ready then. */
export const say =
  (...numbers: number[]) =>
  (connected: Connected) => {
    connected.say(...numbers);
    connected.send({ type: 'ready', data: {} });
  };
/** Sends signals, and ends the connection when the client is live. */
export const sayAnd =
  (end: 'end' | 'cut', isLive: () => boolean, ...numbers: number[]) =>
  (connected: Connected) => {
    say(...numbers)(connected);
    void until(() => expect(isLive()).toBe(true)).then(() => connected[end]());
  };
