/** WebSocket clients of tests: one as Parley's own, one as the official chat client. */
import { once } from 'node:events';
import { WebSocket } from 'ws';
import { SUBPROTOCOL } from '#shared/api/socket/subprotocol.ts';
import { apiBaseUrl, eventually } from './platform.ts';

interface Frame {
  id?: string;
  type: string;
  // biome-ignore lint/suspicious/noExplicitAny: the data of any signal; the test asserts its shape
  data?: any;
}

export interface Listener {
  frames: Frame[];
  /** Texts that are not JSON, such as pings. */
  texts: string[];
  socket: WebSocket;
  /** Code of the closing frame. */
  closed: Promise<number>;
  /** Resolves when a client of Parley has received what it missed. */
  ready: Promise<void>;
  close(): void;
  untilType(type: string): Promise<Frame>;
}

const asWebSocketUrl = (url: string) => url.replace(/^http/, 'ws');

/** The status with which the server refused to open a connection. */
export class Refused extends Error {
  readonly status: number;
  constructor(status: number) {
    super(`The connection was refused with ${status}.`);
    this.status = status;
  }
}

async function open(url: string, protocols: string[], headers: Record<string, string> = {}): Promise<Listener> {
  const socket = new WebSocket(url, protocols, { headers });
  const frames: Frame[] = [];
  const texts: string[] = [];
  const { promise: ready, resolve: becomeReady } = Promise.withResolvers<void>();
  socket.on('message', data => {
    const text = String(data);
    if (!text.startsWith('{')) return void texts.push(text);
    const frame: Frame = JSON.parse(text);
    if (frame.type === 'ready') return becomeReady();
    // Clients drop frames that they have.
    if (frame.id === undefined || !frames.some(({ id }) => id === frame.id)) frames.push(frame);
  });
  const closed = once(socket, 'close').then(([code]) => code as number);
  const refused = new Promise<never>((_, reject) => {
    socket.on('unexpected-response', (_request, response) => reject(new Refused(response.statusCode!)));
    socket.on('error', reject);
  });
  await Promise.race([once(socket, 'open'), refused]);
  return {
    frames,
    texts,
    socket,
    closed,
    ready,
    close: () => socket.close(),
    untilType: type =>
      eventually(async () => {
        const frame = frames.find(each => each.type === type);
        if (!frame) throw new Error(`No frame ${type} among ${frames.map(each => each.type).join(', ')}.`);
        return frame;
      }),
  };
}

interface Listening {
  chatUrl: string;
  conversationId: string;
  key: string;
  after?: string;
  origin?: string;
}

/** Listens as Parley's own clients do: with the key in the subprotocol, and frames with ids. Resolves when ready. */
export async function listenOwn({ chatUrl, conversationId, key, after, origin }: Listening): Promise<Listener> {
  const listener = await open(
    `${asWebSocketUrl(chatUrl)}/conversations/${encodeURIComponent(conversationId)}/listen${after ? `?after=${after}` : ''}`,
    [SUBPROTOCOL, key],
    origin === undefined ? {} : { origin },
  );
  await Promise.race([listener.ready, listener.closed]);
  return listener;
}

/** Listens as the official client does: with the key in the URL. */
export const listenOfficial = ({ chatUrl, conversationId, key, origin }: Listening): Promise<Listener> =>
  open(
    `${asWebSocketUrl(chatUrl)}/conversations/${conversationId}/listen?x-user-key=${encodeURIComponent(key)}`,
    [],
    origin === undefined ? {} : { origin },
  );

/** Watches a bot as the console does. */
export const watchBot = (botId: string, token: string): Promise<Listener> =>
  open(`${asWebSocketUrl(apiBaseUrl())}/socket?botId=${botId}`, [SUBPROTOCOL, token]);

/** Watches the bots of a workspace as the inbox does. */
export const watchInbox = (workspaceId: string, token: string): Promise<Listener> =>
  open(`${asWebSocketUrl(apiBaseUrl())}/socket?workspaceId=${workspaceId}`, [SUBPROTOCOL, token]);
