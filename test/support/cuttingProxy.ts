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
  /** Forwards the next matching request and drops its response. Returns true after it was dropped. */
  loseAnswerOf(request: RegExp): () => boolean;
  stop(): void;
}

/** @param target origin of the server */
export async function startCuttingProxy(target: string): Promise<CuttingProxy> {
  const { hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  let isCut = false;
  let lost: { request: RegExp; isDone: boolean } | undefined;
  const server = createServer(client => {
    // A browser must see a broken connection, not a response.
    if (isCut) return void client.destroy();
    const upstream = connect(Number(port), hostname);
    let losing: typeof lost;
    client.on('data', data => {
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
    },
    cutOnce,
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
