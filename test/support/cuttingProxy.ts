/** Proxies a server, and cuts and rejects connections on request. */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export interface CuttingProxy {
  /** Address of the proxy: `http://127.0.0.1:…`. */
  origin: string;
  /** Cuts all connections, and rejects new ones until {@link restore}. */
  cut(): void;
  restore(): void;
  /** Cuts open connections; new ones work. */
  cutOnce(): void;
  /** Number of WebSockets that were opened. */
  upgrades(): number;
  /** Rejects WebSockets as a proxy that does not support them, until {@link restore}. Requests work. */
  refuseUpgrades(): void;
  /** Sends a frame to the clients of all open WebSockets. */
  sendFrame(frame: object): void;
  /** Forwards the next matching request and drops its response. Returns true after it was dropped. */
  loseAnswerOf(request: RegExp): () => boolean;
  stop(): void;
}

const UPGRADE = /^GET .*\r\nupgrade: websocket\r\n/is;

/** Returns an unmasked text frame (https://www.rfc-editor.org/rfc/rfc6455#section-5.2). */
function textFrame(text: string): Buffer {
  const payload = Buffer.from(text);
  const isShort = payload.length < 126;
  const header = Buffer.from(isShort ? [0x81, payload.length] : [0x81, 126, payload.length >> 8, payload.length & 255]);
  return Buffer.concat([header, payload]);
}

/** @param target origin of the server */
export async function startCuttingProxy(target: string): Promise<CuttingProxy> {
  const { hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  const webSockets = new Set<Socket>();
  let upgrades = 0;
  let isRefusing = false;
  let isCut = false;
  let lost: { request: RegExp; isDone: boolean } | undefined;
  const server = createServer(client => {
    // A browser must see a broken connection, not a response.
    if (isCut) return void client.destroy();
    const upstream = connect(Number(port), hostname);
    let losing: typeof lost;
    client.on('data', data => {
      if (UPGRADE.test(data.toString('latin1'))) {
        if (isRefusing) return void client.end('HTTP/1.1 502 Bad Gateway\r\ncontent-length: 0\r\n\r\n');
        upgrades++;
        webSockets.add(client);
      }
      if (lost && !lost.isDone && lost.request.test(data.toString('latin1'))) losing = lost;
      upstream.write(data);
    });
    upstream.on('data', data => {
      if (!losing) return void client.write(data);
      losing.isDone = true;
      client.destroy();
    });
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(socket);
      socket.on('error', () => other.destroy());
      socket.on('close', () => {
        sockets.delete(socket);
        webSockets.delete(socket);
        other.destroy();
      });
    }
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const cutOnce = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cut: () => {
      isCut = true;
      cutOnce();
    },
    restore: () => {
      isCut = false;
      isRefusing = false;
    },
    cutOnce,
    upgrades: () => upgrades,
    refuseUpgrades: () => {
      isRefusing = true;
    },
    sendFrame: frame => {
      for (const client of webSockets) client.write(textFrame(JSON.stringify(frame)));
    },
    loseAnswerOf: request => {
      const loss = { request, isDone: false };
      lost = loss;
      return () => loss.isDone;
    },
    stop: () => {
      cutOnce();
      server.close();
    },
  };
}
