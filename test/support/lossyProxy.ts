/** A proxy before DynamoDB that drops responses: the call takes effect, and the connection is cut. */
import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface LossyProxy {
  url: string;
  /**
   * Drops the response of the next call of an operation such as `PutItem`. The calls after it fail with an error of
   * DynamoDB, `then.count` times. Returns a function that returns true after all of these faults.
   */
  loseNext(operation: string, then?: { error: string; count: number }): () => boolean;
  stop(): void;
}

export async function startLossyProxy(target: string): Promise<LossyProxy> {
  let lost: { operation: string; isDone: boolean; error: string; count: number } | undefined;
  const server = createServer(async (incoming, outgoing) => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk);
    const { method, headers, url } = incoming;
    const operation = String(headers['x-amz-target']).split('.').at(-1);
    if (lost?.isDone && lost.operation === operation && lost.count > 0) {
      lost.count--;
      outgoing.writeHead(400, { 'content-type': 'application/x-amz-json-1.0' });
      outgoing.end(JSON.stringify({ __type: `com.amazonaws.dynamodb.v20120810#${lost.error}`, Message: lost.error }));
      return;
    }
    const forwarded = request(new URL(url!, target), { method, headers });
    forwarded.end(Buffer.concat(chunks));
    const [answer] = await once(forwarded, 'response');
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
    loseNext: (operation, { error, count } = { error: '', count: 0 }) => {
      const loss = { operation, isDone: false, error, count };
      lost = loss;
      return () => loss.isDone && loss.count === 0;
    },
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
