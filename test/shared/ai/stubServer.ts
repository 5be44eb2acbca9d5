/** Server for stubs of external services, which records every call and sends planned failures first. */
import { once } from 'node:events';
import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createHttp2Server } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** Stubs accept any credentials. */
export const ANY_CREDENTIALS = {
  AWS_REGION: 'us-east-1',
  AWS_ACCESS_KEY_ID: 'any',
  AWS_SECRET_ACCESS_KEY: 'any',
};

export interface StubRequest {
  path: string;
  headers: IncomingMessage['headers'];
  // biome-ignore lint/suspicious/noExplicitAny: whatever the client sent
  body: any;
}

export interface StubAnswer {
  status: number;
  headers?: Record<string, string>;
  /** Strings and bytes are sent unchanged. */
  body: object | string;
}

export interface Stub {
  endpoint: string;
  requests: StubRequest[];
  /** Failures for the next calls, in order; `hang` never responds. */
  failures: (StubAnswer | 'hang')[];
  stop(): Promise<void>;
}

/** @param protocol the SDK uses HTTP/2 for Bedrock */
export async function startStub(
  answer: (request: StubRequest) => StubAnswer,
  protocol: 'http' | 'http2' = 'http',
): Promise<Stub> {
  const requests: StubRequest[] = [];
  const failures: (StubAnswer | 'hang')[] = [];
  const handle = async (incoming: IncomingMessage, outgoing: ServerResponse) => {
    const sent = await text(incoming);
    const request = { path: incoming.url!, headers: incoming.headers, body: sent && JSON.parse(sent) };
    requests.push(request);
    const { status, headers, body } = nextOf(failures) ?? answer(request);
    if (status === 0) return;
    outgoing.writeHead(status, { 'content-type': 'application/json', ...headers });
    outgoing.end(typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body));
  };
  const server =
    protocol === 'http'
      ? createHttpServer(handle)
      : createHttp2Server((incoming, outgoing) => handle(incoming as never, outgoing as never));
  const sessions = new Set<{ destroy(): void }>();
  server.on(protocol === 'http' ? 'connection' : 'session', session => sessions.add(session));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    failures,
    stop: async () => {
      for (const session of sessions) session.destroy();
      await new Promise<void>(resolve => server.close(() => resolve()));
    },
  };
}

const nextOf = (failures: Stub['failures']): StubAnswer | undefined => {
  const failure = failures.shift();
  return failure === 'hang' ? { status: 0, body: '' } : failure;
};

/** Returns an error response of AWS's REST and JSON services. */
export const awsError = (status: number, type: string, message = type): StubAnswer => ({
  status,
  headers: { 'x-amzn-errortype': type },
  body: { message },
});
