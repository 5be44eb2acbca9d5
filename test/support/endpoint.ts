/** Starts a bot's HTTP endpoint in the SDK's form, with a given response. */
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

interface Received {
  operation: string;
  headers: IncomingHttpHeaders;
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: the body of any operation; the test asserts its shape
  body: any;
}

export interface TestEndpoint {
  url: string;
  received: Received[];
  /** Returns the bodies of received events. */
  events(): Received['body'][];
  stop(): void;
}

/** @param answer writes the response, `200 {}` by default */
export async function startEndpoint(
  answer: (received: Received, response: ServerResponse) => void = (_, response) => void response.end('{}'),
): Promise<TestEndpoint> {
  const received: Received[] = [];
  const server = createServer(async (request, response) => {
    let text = '';
    for await (const chunk of request) text += chunk;
    const operation = String(request.headers['x-bp-operation']);
    const one = { operation, headers: request.headers, text, body: JSON.parse(text) };
    received.push(one);
    answer(one, response);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    events: () => received.filter(({ operation }) => operation === 'event_received').map(({ body }) => body.event),
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
