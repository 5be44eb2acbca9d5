/**
 * Section `idleListeners`: the cost of idle listeners and their delay of the first message. Each uses the official
 * client and its own conversation.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { mapConcurrently } from '#shared/core/concurrency.ts';
import { VARIABLES } from '#shared/core/environment.ts';
import { cpuSecondsOf, cpuSecondsOfChildren } from './processCpu.ts';
import type { Section } from './report.ts';
import { quantile } from './statistics.ts';
import type { Listening, Memory } from './throughputProcess.ts';

// The package's ES module is built for browsers and does not load in Node.
const chat: typeof import('@botpress/chat') = createRequire(import.meta.url)('@botpress/chat');

const LISTENERS = Number(process.env.BENCH_LISTENERS ?? 1_000);
const MINUTES = Number(process.env.BENCH_MINUTES ?? 1);
/** Rate of first messages over all conversations. */
const PER_SECOND = Number(process.env.BENCH_PER_SECOND ?? 10);
const AT_ONCE = 8;
/** Waits until connections are established and garbage is collected. */
const REST_MS = 15_000;

const CORES_AIM = 0.1;
const MEMORY_AIM_KB = 20;
const HEARD_AIM_MS = 300;

export async function measure(): Promise<Section> {
  const server: ChildProcess = fork(fileURLToPath(import.meta.resolve('./throughputProcess.ts')), ['platform'], {
    env: { ...process.env, [VARIABLES.tableName]: 'bench-idle-listeners' },
    execArgv: [...process.execArgv, '--expose-gc'],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const [{ chatUrl, userKey }] = (await once(server, 'message')) as [Listening];
  try {
    const client = await chat.Client.connect({ apiUrl: chatUrl, userKey });
    const ids = await mapConcurrently(Array.from({ length: LISTENERS }), AT_ONCE, async () => {
      const { conversation } = await client.createConversation({});
      return conversation.id;
    });
    await sleep(REST_MS);

    const heardMs = new Map<string, number>();
    let errors = 0;
    const listeners = await mapConcurrently(ids, AT_ONCE, async id => {
      const listener = await client.listenConversation({ id });
      listener.on('message_created', ({ id }) => heardMs.set(id, performance.now()));
      listener.on('error', () => errors++);
      return listener;
    });
    await sleep(REST_MS);

    const startMs = performance.now();
    const startCpu = { server: cpuSecondsOf(server.pid!), all: cpuSecondsOfChildren() };
    await sleep(MINUTES * 60_000);
    const seconds = (performance.now() - startMs) / 1000;
    const cores = (cpuSecondsOf(server.pid!) - startCpu.server) / seconds;
    const coresOfAll = (cpuSecondsOfChildren() - startCpu.all) / seconds;
    const waiting = await memoryOf(server);
    const silentErrors = errors;

    const writtenMs = new Map<string, number>();
    const beginMs = performance.now();
    await Promise.all(
      ids.map(async (conversationId, i) => {
        await sleep(Math.max(0, beginMs + (i * 1000) / PER_SECOND - performance.now()));
        const say = () => client.createMessage({ conversationId, payload: { type: 'text', text: 'first' } });
        // A busy machine may fail a call.
        const { message } = await say().catch(say);
        writtenMs.set(message.id, performance.now());
      }),
    );
    for (let waited = 0; waited < 100 && heardMs.size < ids.length; waited++) await sleep(100);
    for (const listener of listeners) listener.disconnect();
    await sleep(REST_MS);
    // Compared with the memory after they disconnect, because memory before included the creation of conversations.
    const without = await memoryOf(server);

    const tookMs = [...heardMs].map(([id, ms]) => Math.max(0, ms - (writtenMs.get(id) ?? ms)));
    const heapKb = (waiting.heapBytes - without.heapBytes) / LISTENERS / 1024;
    const p50 = quantile(tookMs, 0.5);
    const isMet =
      silentErrors === 0 &&
      heardMs.size === ids.length &&
      cores <= CORES_AIM &&
      heapKb <= MEMORY_AIM_KB &&
      p50 <= HEARD_AIM_MS;
    return {
      title: 'Idle listeners',
      measures: `${LISTENERS} official clients listen for ${MINUTES} min, each to a conversation in which nothing is said, then hear one message each, on the local platform.`,
      columns: ['errors', 'heard', 'cores', 'KB each', 'p50, ms', 'p99, ms', 'aim', ''],
      rows: [
        [
          String(silentErrors),
          String(heardMs.size),
          cores.toFixed(3),
          heapKb.toFixed(1),
          p50.toFixed(0),
          quantile(tookMs, 0.99).toFixed(0),
          `≤ ${CORES_AIM} cores, ${MEMORY_AIM_KB} KB, ${HEARD_AIM_MS} ms`,
          isMet ? 'met' : 'MISSED',
        ],
      ],
      notes: [
        `Cores and memory are those of the platform's process while nothing is said; with DynamoDB Local, ${coresOfAll.toFixed(3)} cores.`,
        `Memory is what a collection of the heap frees when they leave. Resident with them: ${(waiting.residentBytes / 2 ** 20).toFixed(0)} MB in all.`,
        "Heard: from the answer to the writer to the listener's event. Writer, listeners and platform share this machine.",
      ],
    };
  } finally {
    server.kill();
  }
}

async function memoryOf(server: ChildProcess): Promise<Memory> {
  server.send('memory');
  const [memory] = (await once(server, 'message')) as [Memory];
  return memory;
}
