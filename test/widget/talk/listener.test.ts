/** Tests that listening survives failures of streams, with a real server that fails on request. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { ChatApi, type ChatFault } from '#widget/talk/chatApi.ts';
import { type Connection, Listener } from '#widget/talk/listener.ts';

let server: Server;
let api: ChatApi;
/** Handlers of successive requests for the stream. The last one repeats. */
let answers: ((request: IncomingMessage, response: ServerResponse) => void)[];
let asked: (string | undefined)[];
let listener: Listener | undefined;

beforeEach(async () => {
  asked = [];
  server = createServer((request, response) => {
    asked.push(request.headers['last-event-id'] as string | undefined);
    (answers.length > 1 ? answers.shift()! : answers[0]!)(request, response);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  api = new ChatApi(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, 'key');
});
afterEach(() => {
  listener?.stop();
  server.closeAllConnections();
  server.close();
});

const PAUSES = { firstMs: 5, longestMs: 20, silenceMs: 60_000 };

function listen({
  onOpen = async () => {},
  pauses = PAUSES,
}: {
  onOpen?: (isResumed: boolean) => Promise<void>;
  pauses?: typeof PAUSES;
} = {}) {
  const heard: string[] = [];
  const connections: Connection[] = [];
  const refusals: ChatFault[] = [];
  const opened: boolean[] = [];
  listener = new Listener({
    open: (lastEventId, abort) => api.listen('c', lastEventId, abort),
    onOpen: async isResumed => {
      opened.push(isResumed);
      await onOpen(isResumed);
    },
    onSignal: signal => heard.push((signal.data as { id: string }).id),
    onConnection: connection => connections.push(connection),
    onRefused: fault => refusals.push(fault),
    pauses,
  });
  listener.start();
  return { heard, connections, refusals, opened };
}

const until = (expectation: () => void) => vi.waitFor(expectation, 30_000);

const frames = (response: ServerResponse, ids: string[]) =>
  response.write(ids.map(id => `id: ${id}\ndata: {"type":"message_deleted","data":{"id":"${id}"}}\n\n`).join(''));
const stream = (response: ServerResponse) =>
  response.writeHead(200, { 'content-type': 'text/event-stream' }).write('retry: 5\nid: 0\n\n');
/** Sends frames and keeps the stream open. */
const say =
  (...ids: string[]) =>
  (_: IncomingMessage, response: ServerResponse) => {
    stream(response);
    frames(response, ids);
  };
const sayAnd =
  (end: (response: ServerResponse) => void, ...ids: string[]) =>
  (request: IncomingMessage, response: ServerResponse) => {
    say(...ids)(request, response);
    setTimeout(() => end(response), 50);
  };
const refuse =
  (status: number, headers = {}) =>
  (_: IncomingMessage, response: ServerResponse) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end('{"type":"Some","message":"Why"}');
  };

it.each([
  ['is cut', (response: ServerResponse) => response.destroy()],
  ['ends', (response: ServerResponse) => response.end()],
])('continues after the last frame when the stream %s', async (_, end) => {
  answers = [sayAnd(end, '1', '2'), sayAnd(end), say('3')];
  const { heard, connections, opened } = listen();

  await until(() => expect(connections.filter(each => each === 'live')).toHaveLength(3));
  expect(heard).toEqual(['1', '2', '3']);
  expect(asked).toEqual([undefined, '2', '0']);
  expect(opened).toEqual([false, true, true]);
});

it('reports a lost connection after a failure, but not after the regular end of a stream', async () => {
  answers = [sayAnd(response => response.end()), sayAnd(response => response.destroy()), say()];
  const { connections } = listen();

  await until(() => expect(connections.filter(each => each === 'live')).toHaveLength(3));
  expect(connections).toEqual(['connecting', 'live', 'connecting', 'live', 'lost', 'lost', 'live']);
});

it("retries after the server's Retry-After during overload", async () => {
  answers = [refuse(429, { 'retry-after': '1' }), refuse(503), say('1')];
  const pauses = vi.spyOn(globalThis, 'setTimeout');
  const { heard, refusals } = listen();

  await until(() => expect(heard).toEqual(['1']));
  expect(pauses.mock.calls.map(([, ms]) => ms)).toContain(1_000);
  pauses.mockRestore();
  expect(refusals).toEqual([]);
});

it('starts over when the position is rejected', async () => {
  answers = [sayAnd(response => response.destroy(), '1'), refuse(400), say('2')];
  const { heard, opened } = listen();

  await until(() => expect(opened).toEqual([false, false]));
  expect(asked).toEqual([undefined, '1', undefined]);
  await until(() => expect(heard).toEqual(['1', '2']));
});

it.each([401, 403, 404])('does not retry after a %s', async status => {
  answers = [refuse(status)];
  const { refusals } = listen();

  await until(() => expect(refusals).toMatchObject([{ status, message: 'Why' }]));
  expect(asked).toHaveLength(1);
});

it('replaces a stream without data', async () => {
  answers = [say('1'), say('2')];
  const { heard } = listen({ pauses: { ...PAUSES, silenceMs: 200 } });

  await until(() => expect(heard).toEqual(expect.arrayContaining(['1', '2'])));
  expect(asked[1]).toBe('1');
});

it('does not resume after a failed initial read', async () => {
  answers = [say('1'), say('2')];
  let isDown = true;
  const { connections } = listen({
    onOpen: async () => {
      if (!isDown) return;
      isDown = false;
      throw new Error('The messages could not be read.');
    },
  });

  await until(() => expect(connections.at(-1)).toBe('live'));
  expect(asked).toEqual([undefined, undefined]);
});

it('stops, and resumes at the same position', async () => {
  answers = [say('1'), say('2')];
  const { heard } = listen();
  await until(() => expect(heard).toEqual(['1']));

  listener!.stop();
  listener!.start();

  await until(() => expect(heard).toEqual(['1', '2']));
  expect(asked).toEqual([undefined, '1']);
});

it('ends its pause when the page wakes up', async () => {
  answers = [refuse(503), say('1')];
  const { heard, connections } = listen({ pauses: { ...PAUSES, firstMs: 60_000, longestMs: 60_000 } });
  await until(() => expect(connections).toContain('lost'));

  await until(() => {
    listener!.wake();
    expect(heard).toEqual(['1']);
  });
});
