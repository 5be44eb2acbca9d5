/**
 * Response times of a bot's code while another bot's code misbehaves or is called continuously, compared with an idle
 * baseline of the same run.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { callCode } from '#shared/outbound/code/callCode.ts';
import { zipOf } from '#shared/outbound/code/package.ts';
import { createFunction } from '#shared/outbound/lambda/functions.ts';
import { quantile } from './statistics.ts';

const CALLS = Number(process.env.BENCH_QUIET_CALLS ?? 100);
const EVERY_MS = 40;
/** Misbehaving calls that run or wait concurrently. */
const AT_ONCE = Number(process.env.BENCH_BAD_CALLS ?? 5);
const TIMEOUT_SECONDS = 2;

const STORMS = {
  'loops forever, one call at a time': ['for (;;);', 1],
  [`loops forever, ${AT_ONCE} calls at a time`]: ['for (;;);', AT_ONCE],
  'fills its memory': ['const all = []; for (;;) all.push(new Array(1e6).fill(all.length));', 1],
  'ends its process': ['process.exit(1);', AT_ONCE],
  // Succeeds, because continuous calls are not the code's fault.
  'answers at once': ['return {};', AT_ONCE],
  'prints 10,000 lines': ['for (let i = 0; i < 10_000; i++) console.log(i); return {};', AT_ONCE],
} as const satisfies Record<string, readonly [string, number]>;

/**
 * @param quiet one call of a well-behaved bot
 * @returns table rows: storm, p95 without and with it in ms, their ratio
 */
export async function measureStorms(quiet: () => Promise<unknown>): Promise<string[][]> {
  const rows: string[][] = [];
  for (const [index, [name, [bad, atOnce]]] of Object.entries(STORMS).entries()) {
    const functionName = `storm-${index}`;
    await createFunction({
      name: functionName,
      description: name,
      zip: zipOf(Buffer.from(`exports.handler = async () => { ${bad} };`)),
      variables: {},
      tags: {},
      memoryMb: 128,
      timeoutSeconds: TIMEOUT_SECONDS,
      concurrency: undefined,
    });
    // Measured before each storm, because the machine may have other work.
    const peace = await timesOf(quiet);
    let isOver = false;
    const storm = Promise.all(
      Array.from({ length: atOnce }, async () => {
        while (!isOver) {
          const running = { functionName, timeoutSeconds: TIMEOUT_SECONDS };
          await callCode({ kind: 'bot', id: functionName }, running, { headers: {}, body: '' }).catch(() => {});
        }
      }),
    );
    const during = await timesOf(quiet);
    isOver = true;
    await storm;
    rows.push(row(`another bot ${name}`, during, peace));
  }
  return rows;
}

async function timesOf(quiet: () => Promise<unknown>): Promise<number[]> {
  const times: number[] = [];
  for (let i = 0; i < CALLS; i++) {
    const startMs = performance.now();
    await quiet();
    times.push(performance.now() - startMs);
    await sleep(EVERY_MS);
  }
  return times;
}

const row = (name: string, times: readonly number[], peace: readonly number[]) => [
  name,
  quantile(peace, 0.95).toFixed(1),
  quantile(times, 0.95).toFixed(1),
  `${(quantile(times, 0.95) / quantile(peace, 0.95)).toFixed(1)}×`,
];
