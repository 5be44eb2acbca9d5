/** Section `throughput`: createMessage under load over HTTP, compared with a bare loop of the same DynamoDB calls. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { VARIABLES } from '#shared/core/environment.ts';
import { getAndPut } from './bare/getAndPut.ts';
import { seedConversation, textMessage } from './calls.ts';
import { newMessageItem, ownParticipantKey } from './items.ts';
import { type Section, times, verdict } from './report.ts';
import { median, quantile, shuffled } from './statistics.ts';
import type { Listening } from './throughputProcess.ts';

const SECONDS = Number(process.env.BENCH_SECONDS ?? 4);
const ROUNDS = 2;
const CONSUMERS_TIMEOUT_MS = 60_000;
const CONCURRENCIES = [1, 16, 64];

/** Required share of the bare loop's throughput. */
const BUDGET = { concurrency: 64, share: 0.7 };

const FLOOR = 'bare loop, no HTTP';

interface Variant {
  name: string;
  call: () => Promise<unknown>;
  /** Waits until no background work is left that would disturb the next round. */
  settle?: () => Promise<void>;
  hasBudget?: boolean;
  /** By concurrency, one per round. */
  rounds: Map<number, { perSecond: number; tookMs: number[] }[]>;
}

export async function measure(): Promise<Section> {
  const servers: ChildProcess[] = [];
  const agent = new Agent({ keepAlive: true });
  try {
    const place = await seedConversation();
    const { payload } = textMessage(place.conversationId);
    const variants: Variant[] = [
      {
        name: FLOOR,
        call: () => getAndPut(ownParticipantKey(place), newMessageItem(place, payload)),
        rounds: new Map(),
      },
    ];
    for (const { name, kind, ...rest } of [
      { name: 'bare behind the local gateway', kind: 'bareGateway' },
      { name: 'createMessage behind the local gateway', kind: 'gateway', hasBudget: true },
      { name: 'createMessage on the local platform, consumers included', kind: 'platform', hasBudget: true },
    ]) {
      const { server, listening } = await startServer(kind);
      servers.push(server);
      const conversationId = await newConversation(agent, listening);
      const body = JSON.stringify(textMessage(conversationId));
      variants.push({
        name,
        call: () => send(agent, listening, 'POST', '/messages', body),
        ...(kind === 'platform' ? { settle: () => consumersDone(agent, listening, conversationId) } : {}),
        rounds: new Map(),
        ...rest,
      });
    }

    for (const { call, settle } of variants) {
      await press(call, CONCURRENCIES.at(-1)!, SECONDS / 2);
      await settle?.();
    }
    for (let round = 0; round < ROUNDS; round++) {
      for (const concurrency of CONCURRENCIES) {
        for (const { call, settle, rounds } of shuffled(variants)) {
          rounds.set(concurrency, [...(rounds.get(concurrency) ?? []), await press(call, concurrency, SECONDS)]);
          await settle?.();
        }
      }
    }
    return report(variants);
  } finally {
    agent.destroy();
    for (const server of servers) server.kill();
  }
}

function report(variants: Variant[]): Section {
  const floor = variants.find(({ name }) => name === FLOOR)!;
  return {
    title: 'Throughput',
    measures: `One process calls createMessage for ${ROUNDS} × ${SECONDS} s at each concurrency, in turns; the server and DynamoDB Local have processes of their own.`,
    columns: ['concurrency', 'what', 'per second', 'p50, ms', 'p99, ms', 'of the bare loop', 'budget', ''],
    rows: CONCURRENCIES.flatMap(concurrency =>
      variants.map(({ name, rounds, hasBudget }) => {
        const own = rounds.get(concurrency)!;
        const tookMs = own.flatMap(round => round.tookMs);
        const share = median(own.map(({ perSecond }, i) => perSecond / floor.rounds.get(concurrency)![i]!.perSecond));
        return [
          String(concurrency),
          name,
          median(own.map(({ perSecond }) => perSecond)).toFixed(0),
          quantile(tookMs, 0.5).toFixed(2),
          quantile(tookMs, 0.99).toFixed(2),
          times(share),
          ...(hasBudget && concurrency === BUDGET.concurrency
            ? [`≥ ${times(BUDGET.share)}`, verdict(share >= BUDGET.share)]
            : ['', '']),
        ];
      }),
    ),
    notes: [
      'Per second: the median of the rounds. Of the bare loop: the median of the ratios of each round.',
      'On a machine with two cores the load, the server and the database share them; the bare loop has neither load nor server.',
    ],
  };
}

/** Calls as often as possible at a given concurrency. */
async function press(call: () => Promise<unknown>, concurrency: number, seconds: number) {
  const tookMs: number[] = [];
  const startMs = performance.now();
  const endMs = startMs + seconds * 1000;
  await Promise.all(
    Array.from({ length: concurrency }, async () => {
      for (let nowMs = performance.now(); nowMs < endMs; ) {
        await call();
        const doneMs = performance.now();
        tookMs.push(doneMs - nowMs);
        nowMs = doneMs;
      }
    }),
  );
  return { perSecond: tookMs.length / ((performance.now() - startMs) / 1000), tookMs };
}

/** Each kind has its own table, so that consumers do not process other writes. */
async function startServer(kind: string): Promise<{ server: ChildProcess; listening: Listening }> {
  const server = fork(fileURLToPath(import.meta.resolve('./throughputProcess.ts')), [kind], {
    env: { ...process.env, [VARIABLES.tableName]: `bench-${kind}` },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const [listening] = await Promise.race([
    once(server, 'message'),
    once(server, 'exit').then(([code]) => {
      throw new Error(`The server ${kind} ended with code ${code} while starting.`);
    }),
  ]);
  return { server, listening };
}

/** `node:http` uses a third of the CPU of `fetch`. The load generator shares the machine. */
async function send(agent: Agent, { chatUrl, userKey }: Listening, method: string, path: string, body?: string) {
  const outgoing = request(`${chatUrl}${path}`, {
    agent,
    method,
    headers: {
      'x-user-key': userKey,
      ...(body === undefined ? {} : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }),
    },
  });
  outgoing.end(body);
  const [response] = await once(outgoing, 'response');
  const answer = await text(response);
  if (response.statusCode >= 300) throw new Error(`${method} ${path} was answered ${response.statusCode} ${answer}`);
  return answer;
}

async function newConversation(agent: Agent, listening: Listening): Promise<string> {
  await send(agent, listening, 'POST', '/users/get-or-create', '{}');
  return JSON.parse(await send(agent, listening, 'POST', '/conversations', '{}')).conversation.id;
}

/** Waits for the consumers' last write, the time of the latest message in its conversation. */
async function consumersDone(agent: Agent, listening: Listening, conversationId: string): Promise<void> {
  const conversation = `/conversations/${conversationId}`;
  const { messages } = JSON.parse(await send(agent, listening, 'GET', `${conversation}/messages`));
  const endMs = performance.now() + CONSUMERS_TIMEOUT_MS;
  while (performance.now() < endMs) {
    const { updatedAt } = JSON.parse(await send(agent, listening, 'GET', conversation)).conversation;
    if (updatedAt >= messages[0].createdAt) return;
    await sleep(50);
  }
  throw new Error(`The consumers took more than ${CONSUMERS_TIMEOUT_MS / 1000} s to catch up.`);
}
