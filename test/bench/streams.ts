/**
 * Section `streams`: the time of `createMessage` before, during and after one address opens many streams, with the
 * default limits on open work and without limits.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { mapConcurrently } from '#shared/core/concurrency.ts';
import { VARIABLES } from '#shared/core/environment.ts';
import { type Section, times } from './report.ts';
import { quantile } from './statistics.ts';
import type { Listening } from './throughputProcess.ts';

// The package's ES module is built for browsers and does not load in Node.
const chat: typeof import('@botpress/chat') = createRequire(import.meta.url)('@botpress/chat');
type Client = Awaited<ReturnType<typeof chat.Client.connect>>;

const STREAMS = Number(process.env.BENCH_STREAMS ?? 300);
const USERS = Number(process.env.BENCH_USERS ?? 20);
/** Messages per user and phase. */
const SAID = Number(process.env.BENCH_SAID ?? 20);
/** Interval between two messages of a user. */
const EVERY_MS = 500;
const CONCURRENT_STREAMS = 50;
const AIM = 2;

export async function measure(): Promise<Section> {
  const limits = { 'default limits': '{}', 'no limits': 'off' };
  const rows: string[][] = [];
  for (const [name, value] of Object.entries(limits)) rows.push(...(await rowsWith(name, value)));
  return {
    title: 'Streams of one address',
    measures: `${USERS} users say ${SAID} messages each, one every ${EVERY_MS} ms, while one address opens ${STREAMS} streams, ${CONCURRENT_STREAMS} at a time, on the local platform: the time of createMessage.`,
    columns: ['limits', 'phase', 'streams open', 'p50 ms', '', 'p95 ms', '', 'failed', 'aim', ''],
    rows,
    notes: [
      'The platform, DynamoDB, all clients and the address that floods share this machine and one process of the platform.',
    ],
  };
}

async function rowsWith(name: string, openWorkLimits: string): Promise<string[][]> {
  const server: ChildProcess = fork(fileURLToPath(import.meta.resolve('./throughputProcess.ts')), ['platform'], {
    env: { ...process.env, [VARIABLES.openWorkLimits]: openWorkLimits },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const gone = new AbortController();
  try {
    const [{ chatUrl }] = (await once(server, 'message')) as [Listening];
    const users = await mapConcurrently(Array.from({ length: USERS }), 4, () => newUser(chatUrl));
    // Warms up for all phases.
    await chatting(users);
    const peace = await chatting(users);

    const opening = mapConcurrently(Array.from({ length: STREAMS }), CONCURRENT_STREAMS, () =>
      open(chatUrl, gone.signal),
    );
    const during = await chatting(users);
    const accepted = (await opening).filter(Boolean).length;
    const after = await chatting(users);

    return [
      rowOf([name, 'in peace', '0'], peace, peace),
      rowOf([name, 'while they are opened', ''], during, peace),
      rowOf([name, 'once they are open', String(accepted)], after, peace),
    ];
  } finally {
    gone.abort();
    server.kill();
  }
}

interface Timed {
  tookMs: number[];
  failed: number;
}

function rowOf(cells: string[], { tookMs, failed }: Timed, peace: Timed): string[] {
  const ratios = [0.5, 0.95].map(share => quantile(tookMs, share) / quantile(peace.tookMs, share));
  const [p50, p95] = [quantile(tookMs, 0.5), quantile(tookMs, 0.95)];
  const isMet = failed === 0 && ratios.every(ratio => ratio <= AIM);
  return [
    ...cells,
    p50.toFixed(1),
    times(ratios[0]!),
    p95.toFixed(1),
    times(ratios[1]!),
    String(failed),
    `≤ ${times(AIM)}`,
    isMet ? 'met' : 'MISSED',
  ];
}

async function newUser(chatUrl: string): Promise<{ client: Client; conversationId: string }> {
  const { key } = await new chat.Client({ apiUrl: chatUrl }).createUser({});
  const client = await chat.Client.connect({ apiUrl: chatUrl, userKey: key });
  const { conversation } = await client.createConversation({});
  return { client, conversationId: conversation.id };
}

/** Sends messages at fixed times, regardless of latency. */
async function chatting(users: readonly { client: Client; conversationId: string }[]): Promise<Timed> {
  const timed: Timed = { tookMs: [], failed: 0 };
  const startMs = performance.now();
  const say = async ({ client, conversationId }: (typeof users)[number], atMs: number) => {
    await sleep(Math.max(0, startMs + atMs - performance.now()));
    const beginMs = performance.now();
    try {
      await client.createMessage({ conversationId, payload: { type: 'text', text: 'hello' } });
      timed.tookMs.push(performance.now() - beginMs);
    } catch {
      timed.failed++;
    }
  };
  const offsetMs = EVERY_MS / users.length;
  await Promise.all(
    users.flatMap((user, i) => Array.from({ length: SAID }, (_, j) => say(user, i * offsetMs + j * EVERY_MS))),
  );
  return timed;
}

/**
 * Opens a stream of a new user, which stays open.
 * @returns true if it was accepted
 */
async function open(chatUrl: string, signal: AbortSignal): Promise<boolean> {
  const response = await fetch(`${chatUrl}/initialize`, { signal });
  if (!response.ok) {
    await response.body?.cancel();
    return false;
  }
  const read = async () => {
    for await (const _ of response.body!);
  };
  read().catch(() => {});
  return true;
}
