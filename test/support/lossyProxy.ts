/** Proxies DynamoDB and drops responses: the call takes effect, and the connection is cut. */
import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface LossyProxy {
  url: string;
  /** Drops the response of the next call of an operation such as `PutItem`. Returns true if it was dropped. */
  loseNext(operation: string): () => boolean;
  stop(): void;
}

export async function startLossyProxy(target: string): Promise<LossyProxy> {
  let lost: { operation: string; isDone: boolean } | undefined;
  const server = createServer(async (incoming, outgoing) => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk);
    const { method, headers, url } = incoming;
    const forwarded = request(new URL(url!, target), { method, headers });
    forwarded.end(Buffer.concat(chunks));
    const [answer] = await once(forwarded, 'response');
    const operation = String(headers['x-amz-target']).split('.').at(-1);
    if (lost && !lost.isDone && lost.operation === operation) {
      lost.isDone = true;
      // The call has taken effect once its response is complete.
      await once(answer.resume(), 'end');
      outgoing.destroy();
      return;
    }
    outgoing.writeHead(answer.statusCode, answer.headers);
    answer.pipe(outgoing);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    loseNext: operation => {
      const loss = { operation, isDone: false };
      lost = loss;
      return () => loss.isDone;
    },
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
