/** Tests the connection of the console against a WebSocket server. */
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { type WebSocket, WebSocketServer } from 'ws';
import { type Frame, keepConnected } from '#console/src/api/live/keepConnected.ts';

let server: WebSocketServer;
let stop = () => {};
beforeEach(async () => {
  server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  await once(server, 'listening');
});
afterEach(() => {
  stop();
  server.close();
  for (const client of server.clients) client.terminate();
});

function connect(onLost = () => {}) {
  const frames: Frame[] = [];
  const states: string[] = [];
  const urls: string[] = [];
  stop = keepConnected({
    url: () => {
      urls.push(`ws://127.0.0.1:${(server.address() as AddressInfo).port}/socket`);
      return urls.at(-1)!;
    },
    credential: 'token',
    onFrame: frame => frames.push(frame),
    onOpen: () => states.push('open'),
    onLost: () => {
      states.push('lost');
      onLost();
    },
  });
  return { frames, states, urls };
}

async function accepted(): Promise<WebSocket> {
  const [socket] = await once(server, 'connection');
  return socket;
}

it('authenticates with the second subprotocol', async () => {
  connect();

  const [, request] = await once(server, 'connection');

  expect(request.headers['sec-websocket-protocol']).toMatch(/^parley\.v1, ?token$/);
});

it('passes on frames with a type, and ignores others', async () => {
  const connected = accepted();
  const { frames } = connect();
  const socket = await connected;

  socket.send('ping');
  socket.send('{"message":"Forbidden"}');
  socket.send('{"type":"changed","data":{"topics":["notes"]}}');

  await vi.waitFor(() => expect(frames).toEqual([{ type: 'changed', data: { topics: ['notes'] } }]));
});

it('connects again after the server closed the connection', async () => {
  const connected = accepted();
  const { states } = connect();
  const socket = await connected;
  await vi.waitFor(() => expect(states).toEqual(['open']));

  socket.close(1001);

  await vi.waitFor(() => expect(states).toEqual(['open', 'lost', 'open']), 10_000);
});

it('does not connect again after it was stopped, even by the notification of the loss', async () => {
  const connected = accepted();
  const { states, urls } = connect(() => stop());
  const socket = await connected;
  await vi.waitFor(() => expect(states).toEqual(['open']));
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });

  socket.close(1001);

  await vi.waitFor(() => expect(states).toEqual(['open', 'lost']));
  vi.advanceTimersByTime(60_000);
  vi.useRealTimers();
  expect(urls).toHaveLength(1);
});

it('keeps the connection open with a frame after nine silent minutes', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const connected = accepted();
  const { states } = connect();
  const socket = await connected;
  const received = once(socket, 'message');
  await vi.waitFor(() => expect(states).toEqual(['open']));

  vi.advanceTimersByTime(9 * 60_000);
  vi.useRealTimers();

  expect(String((await received)[0])).toBe('{"action":"keepAlive"}');
});
