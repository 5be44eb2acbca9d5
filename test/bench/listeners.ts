/**
 * Section `listeners`: the time from a message's response to its event, with a hundred listeners on ten conversations.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { Agent, get, type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { VARIABLES } from '#shared/core/environment.ts';
import type { Section } from './report.ts';
import { quantile } from './statistics.ts';
import type { Listening } from './throughputProcess.ts';

const CONVERSATIONS = 10;
const LISTENERS = 100;
const MESSAGES = Number(process.env.BENCH_MESSAGES ?? 2_000);
const PER_SECOND = Number(process.env.BENCH_PER_SECOND ?? 20);
/** Target latency while a conversation is active. */
const AIM_MS = 150;

export async function measure(): Promise<Section> {
  const server: ChildProcess = fork(fileURLToPath(import.meta.resolve('./throughputProcess.ts')), ['platform'], {
    env: { ...process.env, [VARIABLES.tableName]: 'bench-listeners' },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const agent = new Agent({ keepAlive: true });
  const [listening] = (await once(server, 'message')) as [Listening];
  try {
    await send(agent, listening, '/users/get-or-create', {});
    const conversations = await Promise.all(
      Array.from(
        { length: CONVERSATIONS },
        async () => (await send(agent, listening, '/conversations', {})).conversation.id,
      ),
    );
    /** Response times of the writes by message id. */
    const writtenMs = new Map<string, number>();
    /** When each listener received each message. */
    const seenMs: Map<string, number[]>[] = [];
    const streams = await Promise.all(
      Array.from({ length: LISTENERS }, (_, i) => {
        const seen = new Map<string, number[]>();
        seenMs.push(seen);
        return listen(listening, conversations[i % CONVERSATIONS]!, id => {
          seen.set(id, [...(seen.get(id) ?? []), performance.now()]);
        });
      }),
    );

    const startMs = performance.now();
    const writing: Promise<void>[] = [];
    for (let i = 0; i < MESSAGES; i++) {
      await sleep(Math.max(0, startMs + (i * 1000) / PER_SECOND - performance.now()));
      const payload = { type: 'text', text: String(i) };
      const conversationId = conversations[i % CONVERSATIONS];
      writing.push(
        send(agent, listening, '/messages', { conversationId, payload }).then(({ message }) => {
          writtenMs.set(message.id, performance.now());
        }),
      );
    }
    await Promise.all(writing);
    const expected = MESSAGES / CONVERSATIONS;
    for (let waited = 0; waited < 200 && seenMs.some(seen => seen.size < expected); waited++) await sleep(100);
    for (const stream of streams) stream.destroy();

    const tookMs = seenMs.flatMap(seen =>
      [...seen].map(([id, [firstMs]]) => Math.max(0, firstMs! - (writtenMs.get(id) ?? firstMs!))),
    );
    const missed = seenMs.reduce((sum, seen) => sum + (expected - seen.size), 0);
    const repeated = seenMs.flatMap(seen => [...seen.values()]).filter(times => times.length > 1).length;
    const p50 = quantile(tookMs, 0.5);
    return {
      title: 'Listeners',
      measures: `${LISTENERS} listeners on ${CONVERSATIONS} conversations while ${MESSAGES} messages are written, ${PER_SECOND} a second: from the writer's response to the listener's event, on the local platform.`,
      columns: ['signals', 'missed', 'repeated', 'p50, ms', 'p99, ms', 'aim', ''],
      rows: [
        [
          String(tookMs.length),
          String(missed),
          String(repeated),
          p50.toFixed(0),
          quantile(tookMs, 0.99).toFixed(0),
          `p50 ≤ ${AIM_MS} ms`,
          p50 <= AIM_MS ? 'met' : 'MISSED',
        ],
      ],
      notes: ['Writers, listeners, the gateway, all consumers and DynamoDB Local share this machine.'],
    };
  } finally {
    agent.destroy();
    server.kill();
  }
}

async function listen({ chatUrl, userKey }: Listening, conversationId: string, onMessage: (id: string) => void) {
  const outgoing = get(`${chatUrl}/conversations/${conversationId}/listen`, { headers: { 'x-user-key': userKey } });
  const [response] = (await once(outgoing, 'response')) as [IncomingMessage];
  if (response.statusCode !== 200) throw new Error(`listen was answered ${response.statusCode}`);
  let rest = '';
  response.on('error', () => {});
  response.setEncoding('utf8').on('data', (chunk: string) => {
    const frames = (rest + chunk).split('\n\n');
    rest = frames.pop()!;
    for (const frame of frames) {
      const data = frame.match(/^data: (\{.*)$/m)?.[1];
      const signal = data && JSON.parse(data);
      if (signal?.type === 'message_created') onMessage(signal.data.id);
    }
  });
  return response;
}

// biome-ignore lint/suspicious/noExplicitAny: a handful of fields of a handful of answers
async function send(agent: Agent, { chatUrl, userKey }: Listening, path: string, body: object): Promise<any> {
  const json = JSON.stringify(body);
  const outgoing = request(`${chatUrl}${path}`, {
    agent,
    method: 'POST',
    headers: { 'x-user-key': userKey, 'content-type': 'application/json', 'content-length': Buffer.byteLength(json) },
  });
  outgoing.end(json);
  const [response] = await once(outgoing, 'response');
  const answer = await text(response);
  if (response.statusCode >= 300) throw new Error(`${path} was answered ${response.statusCode} ${answer}`);
  return JSON.parse(answer);
}
