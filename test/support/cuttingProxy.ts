/** A network that breaks: a proxy before a server, whose connections are cut and refused when a test says so. */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export interface CuttingProxy {
  /** `http://127.0.0.1:…`, which leads to the server. */
  origin: string;
  /** Cuts all connections, and refuses new ones until {@link restore}. */
  cut(): void;
  restore(): void;
  /** Cuts the connections that there are; new ones work. */
  cutOnce(): void;
  /**
   * The next request whose first bytes match takes effect, and its answer is lost.
   * @returns whether that has happened
   */
  loseAnswerOf(request: RegExp): () => boolean;
  stop(): void;
}

/** @param target the server's origin */
export async function startCuttingProxy(target: string): Promise<CuttingProxy> {
  const { hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  let isCut = false;
  let lost: { request: RegExp; isDone: boolean } | undefined;
  const server = createServer(client => {
    // A browser must find the connection broken, not answered.
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
