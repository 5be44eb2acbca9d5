/**
 * Section `connections`: listening over WebSocket on the local platform. Latency is compared with a bare `ws` echo in
 * the same run.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { WebSocket, WebSocketServer } from 'ws';
import { mapConcurrently } from '#shared/core/concurrency.ts';
import { VARIABLES } from '#shared/core/environment.ts';
import { requestJson } from '#test/support/requestJson.ts';
import { listenResuming } from '#test/support/resumingListener.ts';
import { cpuSecondsOf } from './processCpu.ts';
import { type Section, times } from './report.ts';
import { quantile } from './statistics.ts';
import type { Listening, Memory } from './throughputProcess.ts';

const VISITORS = Number(process.env.BENCH_VISITORS ?? 1_000);
const IDLE = Number(process.env.BENCH_CONNECTIONS ?? 10_000);
const MINUTES = Number(process.env.BENCH_MINUTES ?? 1);
const SAMPLES = 200;
const SIGNALS = Number(process.env.BENCH_SIGNALS ?? 20_000);
const CUTS = 20;
/** Below the limit of connections of one user to one conversation. */
const PER_CONVERSATION = 20;
const AT_ONCE = 8;
const REST_MS = 10_000;
const AIM_MS = { p50: 30, p99: 150 };

interface User {
  chatUrl: string;
  key: string;
}

export async function measure(): Promise<Section> {
  const server: ChildProcess = fork(fileURLToPath(import.meta.resolve('./throughputProcess.ts')), ['platform'], {
    env: { ...process.env, [VARIABLES.tableName]: 'bench-connections', [VARIABLES.rateLimits]: 'off' },
    execArgv: [...process.execArgv, '--expose-gc'],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const [{ chatUrl, userKey }] = (await once(server, 'message')) as [Listening];
  const user = { chatUrl, key: userKey };
  await post(`${chatUrl}/users/get-or-create`, userKey, {});
  try {
    const rows = [...(await latency(user)), await visitors(chatUrl), await idle(user, server), await interrupted(user)];
    return {
      title: 'Connections',
      measures: 'WebSocket connections to conversations on the local platform.',
      columns: ['case', 'received', 'repeated', 'p50, ms', 'p99, ms', 'memory', 'cores', 'aim', ''],
      rows,
      notes: [
        'Latency: from the start of the POST to the frame. Writers, connections, all consumers and DynamoDB share this machine.',
        `Memory: what a collection of the heap frees when ${IDLE} connections close, per connection.`,
      ],
    };
  } finally {
    server.kill();
  }
}

/** Post to frame on an idle connection, and the echo of a bare server. */
async function latency(user: User): Promise<string[][]> {
  const echo = await echoTimes();
  const id = await newConversation(user);
  const listener = await listen(user, id);
  const tookMs: number[] = [];
  for (let i = 0; i < SAMPLES; i++) {
    await sleep(100);
    const startMs = performance.now();
    const text = await say(user, id, String(i));
    tookMs.push((await listener.received(text)) - startMs);
  }
  listener.stop();
  const [p50, p99] = [quantile(tookMs, 0.5), quantile(tookMs, 0.99)];
  const isMet = p50 <= AIM_MS.p50 && p99 <= AIM_MS.p99;
  const [bareP50, bareP99] = [quantile(echo, 0.5), quantile(echo, 0.99)];
  return [
    ['bare echo', String(echo.length), '0', bareP50.toFixed(1), bareP99.toFixed(1), '', '', '', ''],
    [
      `idle connection (${times(p50 / bareP50)} the echo)`,
      String(tookMs.length),
      '0',
      p50.toFixed(1),
      p99.toFixed(1),
      '',
      '',
      `p50 ≤ ${AIM_MS.p50}, p99 ≤ ${AIM_MS.p99}`,
      isMet ? 'met' : 'MISSED',
    ],
  ];
}

async function echoTimes(): Promise<number[]> {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  server.on('connection', socket => socket.on('message', data => socket.send(data)));
  await once(server, 'listening');
  const socket = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`);
  await once(socket, 'open');
  const tookMs: number[] = [];
  for (let i = 0; i < SAMPLES; i++) {
    await sleep(20);
    const startMs = performance.now();
    socket.send(String(i));
    await once(socket, 'message');
    tookMs.push(performance.now() - startMs);
  }
  socket.terminate();
  server.close();
  return tookMs;
}

/** Visitors behind one address, each with a conversation. All receive their next message. */
async function visitors(chatUrl: string): Promise<string[]> {
  const all = await mapConcurrently(Array.from({ length: VISITORS }), AT_ONCE, async () => {
    const { key } = await post(`${chatUrl}/users`, undefined, {});
    const user = { chatUrl, key };
    const id = await newConversation(user);
    return { user, id, listener: await listen(user, id) };
  });
  const tookMs = await mapConcurrently(all, AT_ONCE, async ({ user, id, listener }) => {
    const startMs = performance.now();
    const text = await say(user, id, 'next');
    return (await listener.received(text)) - startMs;
  });
  for (const { listener } of all) listener.stop();
  const received = String(tookMs.length);
  const isMet = tookMs.length === VISITORS;
  return [
    `${VISITORS} visitors, one address`,
    received,
    '0',
    quantile(tookMs, 0.5).toFixed(1),
    quantile(tookMs, 0.99).toFixed(1),
    '',
    '',
    'all receive',
    isMet ? 'met' : 'MISSED',
  ];
}

async function idle(user: User, server: ChildProcess): Promise<string[]> {
  const ids = await mapConcurrently(Array.from({ length: Math.ceil(IDLE / PER_CONVERSATION) }), AT_ONCE, () =>
    newConversation(user),
  );
  const listeners = await mapConcurrently(Array.from({ length: IDLE }), AT_ONCE, (_, i) =>
    listen(user, ids[i % ids.length]!),
  );
  await sleep(REST_MS);
  const startMs = performance.now();
  const startCpu = cpuSecondsOf(server.pid!);
  await sleep(MINUTES * 60_000);
  const cores = ((cpuSecondsOf(server.pid!) - startCpu) * 1000) / (performance.now() - startMs);
  const open = await memoryOf(server);
  for (const listener of listeners) listener.stop();
  await sleep(REST_MS * 3);
  const closed = await memoryOf(server);
  const kb = (open.heapBytes - closed.heapBytes) / IDLE / 1024;
  return [
    `${IDLE} idle connections, ${MINUTES} min`,
    '0',
    '0',
    '',
    '',
    `${kb.toFixed(1)} KB each, ${(open.residentBytes / 2 ** 20).toFixed(0)} MB resident`,
    cores.toFixed(3),
    '',
    '',
  ];
}

/** A client whose connection is cut while messages are written continues after its last frame. */
async function interrupted(user: User): Promise<string[]> {
  const ids = await mapConcurrently(Array.from({ length: 10 }), AT_ONCE, () => newConversation(user));
  const listeners = await Promise.all(ids.map(id => listen(user, id)));
  const each = SIGNALS / ids.length;
  const cutEvery = (each * ids.length) / CUTS;
  await Promise.all(
    ids.map(async (id, n) => {
      for (let i = 0; i < each; i++) {
        if (i % cutEvery === n * 7 + 1) listeners[n]!.cut();
        await say(user, id, String(i));
      }
    }),
  );
  for (let waited = 0; waited < 600 && listeners.some(({ texts }) => texts.length < each); waited++) await sleep(100);
  const received = listeners.reduce((sum, { texts }) => sum + texts.length, 0);
  const isInOrder = listeners.every(({ texts }) => texts.every((text, i) => text === String(i)));
  for (const listener of listeners) listener.stop();
  const cuts = listeners.reduce((sum, listener) => sum + listener.cuts(), 0);
  return [
    `${SIGNALS} signals, ${cuts} cuts`,
    String(received),
    isInOrder ? '0' : 'out of order',
    '',
    '',
    '',
    '',
    'none lost, none twice, in order',
    received === SIGNALS && isInOrder ? 'met' : 'MISSED',
  ];
}

const listen = ({ chatUrl, key }: User, conversationId: string) =>
  listenResuming({ chatUrl: () => chatUrl, key }, conversationId);

const post = (url: string, key: string | undefined, body: object) =>
  requestJson('POST', url, { headers: key === undefined ? {} : { 'x-user-key': key }, body });

const newConversation = async ({ chatUrl, key }: User): Promise<string> =>
  (await post(`${chatUrl}/conversations`, key, {})).conversation.id;

async function say({ chatUrl, key }: User, conversationId: string, text: string): Promise<string> {
  await post(`${chatUrl}/messages`, key, { conversationId, payload: { type: 'text', text } });
  return text;
}

async function memoryOf(server: ChildProcess): Promise<Memory> {
  server.send('memory');
  const [memory] = (await once(server, 'message')) as [Memory];
  return memory;
}
