/**
 * `npm run load -- --local`: drives concurrent users, listeners, uploads and table writes, and reports lost, duplicated
 * and reordered messages. Parley has its own driver because common load tools do not compare streams with lists.
 */
import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { findAddresses, runCommand, targetOptions, UsageError, useTarget } from '#infra/operator/target/target.ts';
import { parseCommand } from '#infra/settings/commandLine.ts';
import { clock } from '#shared/core/clock.ts';
import { compare, type Difference, isClean, sum } from './load/compareReceived.ts';
import { callerOf } from './load/loadClient.ts';
import { uploadFiles, writeRows } from './load/loadRecords.ts';
import { setUp } from './load/loadTenant.ts';
import {
  checkMessages,
  createLoadUser,
  type Listed,
  type Listener,
  type LoadUser,
  listen,
  type Run,
  sendMessages,
} from './load/loadUsers.ts';
import { Measurements } from './load/measurements.ts';
import { parseScenario, randomFrom, SCENARIO, type Scenario, type ScenarioName } from './load/scenario.ts';

const PROGRESS_MS = 5_000;
/** Time for pending replies after the users stop. */
const GRACE_MS = 60_000;
const STREAM_LAG_MS = 30_000;

const numbers = Object.fromEntries(Object.keys(SCENARIO).map(name => [name, { type: 'string' }])) as Record<
  ScenarioName,
  { type: 'string' }
>;

const USAGE = [
  'npm run load -- --local [--scenario <file>]',
  ...Object.entries(SCENARIO).map(([name, value]) => `  --${name.padEnd(16)} default ${value}`),
].join('\n');

await runCommand(async () => {
  const { values } = parseCommand(USAGE, { options: { ...targetOptions, ...numbers, scenario: { type: 'string' } } });
  const { local, stack, scenario: file, ...given } = values;
  const scenario = parseScenario(file === undefined ? {} : await contentOf(file), given);
  await useTarget({ local, stack });
  const addresses = await findAddresses({ local, stack });
  say(`${JSON.stringify(scenario)}`);
  const { bots, remove } = await setUp(addresses, scenario.bots);
  try {
    const { measurements, results } = await run(scenario, bots, addresses.apiBaseUrl);
    show(measurements, results);
    if (Object.values(results).some(each => !isClean(each))) process.exitCode = 1;
  } finally {
    await remove();
  }
});

async function contentOf(file: string): Promise<Record<string, unknown>> {
  const value: unknown = await readFile(file, 'utf8').then(JSON.parse, () => undefined);
  if (typeof value !== 'object' || value === null)
    throw new UsageError(
      `Cannot read the scenario ${file}. It must be a JSON object such as ${JSON.stringify(SCENARIO)}.`,
    );
  return value as Record<string, unknown>;
}

type Results = Record<'messages' | 'answers' | 'signals' | 'files' | 'rows', Difference>;

async function run(scenario: Scenario, bots: Awaited<ReturnType<typeof setUp>>['bots'], apiBaseUrl: string) {
  const measurements = new Measurements();
  const ending = new AbortController();
  const random = randomFrom(scenario.seed);
  const pauses = randomFrom(scenario.seed + 1);
  const own: Run = {
    call: callerOf(measurements),
    measurements,
    signal: ending.signal,
    pause: () => sleep(scenario.pauseMs * (0.5 + pauses())),
  };
  const botOf = (index: number) => bots[index % bots.length]!;

  const users: LoadUser[] = [];
  // Users are created sequentially, because those without a key share the rate limit of their address.
  for (let i = 0; i < scenario.users; i++) {
    const created = await createLoadUser(own, botOf(i));
    if (created) users.push(created);
  }
  if (users.length === 0) throw new Error(`No user could be created: ${measurements.reasons().join(', ')}`);
  const listeners: Listener[] = [];
  for (let i = 0; i < scenario.listeners; i++) listeners.push(await listen(own, users[i % users.length]!));
  say(`${users.length} users and ${listeners.length} listeners are connected.`);

  const progress = startProgress(measurements, listeners);
  const seeded = () => randomFrom(Math.floor(random() * 2 ** 32));
  const sending = users.map(each => sendMessages(own, each, seeded()));
  const place = (index: number) => ({ apiBaseUrl, bot: botOf(index) });
  const uploading = Array.from({ length: scenario.uploaders }, (_, i) => uploadFiles(own, place(i), seeded()));
  const writing = Array.from({ length: scenario.tables }, (_, i) => writeRows(own, place(i), seeded()));
  await sleep(scenario.seconds * 1_000);
  ending.abort();
  await Promise.all(sending);
  const untilMs = clock.now() + GRACE_MS;
  const outcomes = await Promise.all(users.map(each => checkMessages(own, each, untilMs)));
  const lists = new Map(users.map(({ conversationId }, i) => [conversationId, outcomes[i]!.listed]));
  const results: Results = {
    messages: sum(outcomes.map(({ kept }) => kept)),
    answers: sum(outcomes.map(({ replies }) => replies)),
    signals: sum(await Promise.all(listeners.map(each => compareStream(each, lists.get(each.conversationId)!)))),
    files: sum(await Promise.all(uploading)),
    rows: sum(await Promise.all(writing)),
  };
  progress.stop();
  for (const listener of listeners) listener.stop();
  return { measurements, results };
}

/**
 * Compares a listener's messages with the list, retrying because streams lag behind. Order is guaranteed per writer,
 * not between concurrent writers (docs/api/chat.md#listening).
 */
async function compareStream({ receivedIds }: Listener, listed: readonly Listed[]): Promise<Difference> {
  const writers = [...Map.groupBy(listed, ({ userId }) => userId).values()];
  const untilMs = clock.now() + STREAM_LAG_MS;
  for (;;) {
    const difference = sum(
      writers.map(written =>
        compare(
          written.map(({ id }) => id),
          receivedIds,
        ),
      ),
    );
    if (difference.lost === 0 || clock.now() > untilMs) return difference;
    await sleep(100);
  }
}

function startProgress(measurements: Measurements, listeners: readonly Listener[]) {
  const startMs = clock.now();
  let before = 0;
  const timer = setInterval(() => {
    const receivedIds = listeners.reduce((total, each) => total + each.receivedIds.length, 0);
    const rate = (measurements.calls - before) / (PROGRESS_MS / 1_000);
    before = measurements.calls;
    const seconds = Math.round((clock.now() - startMs) / 1_000);
    say(
      `${seconds} s: ${measurements.calls} calls, ${rate.toFixed(0)}/s, ${measurements.failures} failed, ${measurements.repeated} retried after 429, ${receivedIds} messages streamed`,
    );
  }, PROGRESS_MS);
  return { stop: () => clearInterval(timer) };
}

function show(measurements: Measurements, results: Results): void {
  const line = (...cells: (string | number)[]) => `| ${cells.join(' | ')} |`;
  const ms = (value: number) => value.toFixed(0);
  const operations = measurements.report();
  say(
    [
      '',
      line('Operation', 'Calls', 'Failed', 'p50 ms', 'p95', 'p99', 'max'),
      line('---', ...Array(6).fill('--:')),
      ...operations.map(each =>
        line(each.operation, each.calls, each.failed, ms(each.p50), ms(each.p95), ms(each.p99), ms(each.max)),
      ),
      '',
      line('', 'Expected', 'Lost', 'Doubled', 'Disordered'),
      line('---', ...Array(4).fill('--:')),
      ...Object.entries(results).map(([name, each]) =>
        line(name, each.expected, each.lost, each.doubled, each.disordered),
      ),
      ...measurements.reasons(),
    ].join('\n'),
  );
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}
