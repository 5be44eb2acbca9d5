/**
 * Runs a table owner's code on a row. The code is untrusted and shares the process with the data of all tenants:
 *
 * - QuickJS in WebAssembly reaches only its own memory: no files, network, process or host functions. Node's `vm` is
 *   not a security boundary: its contexts share the host's heap.
 * - Each run gets a new runtime, so nothing leaks between rows or tenants.
 * - QuickJS limits memory, stack and, through its interrupt handler, time. Regular expressions poll that handler; some
 * built-ins do not, such as `indexOf` on an object with a length of 2 ** 53.
 * - A worker thread without environment variables is therefore terminated on timeout. It is also terminated after a
 * stack overflow that QuickJS missed, because its memory is then corrupt.
 */
import { once } from 'node:events';
import { extname, join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { createFairQueue } from '#shared/core/fairQueue.ts';
import type { Values } from '#shared/domain/tables/schema/rowValues.ts';
import { unlessPaused } from './pausedColumns.ts';
import { type Answer, type SandboxResult, type Task, timedOut } from './sandboxTask.ts';

const TIMEOUT_MS = 500;
const MEMORY_BYTES = 32 * 1024 ** 2;
const GRACE_MS = 250;
const START_MS = 10_000;

/** Relative to this file, or to the function's bundle in a deployment. */
const THREAD_FILE = join(import.meta.dirname, `sandboxThread${extname(import.meta.filename)}`);

let thread: Worker | undefined;
let isRunning = false;
const waiting = createFairQueue<() => Promise<void>>();

interface RunOptions {
  /** The bot. Scheduling is round-robin by bot. */
  tenant?: string;
  /** The column, which is paused when its code keeps timing out: see `pausedColumns.ts`. */
  column?: readonly string[] | undefined;
  timeoutMs?: number;
  memoryBytes?: number;
}

/**
 * Runs code on a row. Calls are serialized, because there is one thread.
 * @param code an expression, or a function body with `return`, in strict mode. Its only input is `row`, deeply frozen
 * @returns the value as JSON, or an error for the code's owner. A promise is an error, because nothing could settle it
 */
export function runCode(
  code: string,
  row: Values,
  { tenant = '', column, timeoutMs = TIMEOUT_MS, memoryBytes = MEMORY_BYTES }: RunOptions = {},
): Promise<SandboxResult> {
  const task = { code, row: JSON.stringify(row), timeoutMs, memoryBytes };
  const { promise, resolve, reject } = Promise.withResolvers<SandboxResult>();
  const start = () => runInThread(task);
  waiting.add(tenant, () => (column ? unlessPaused(column, start) : start()).then(resolve, reject));
  if (!isRunning) void runAll();
  return promise;
}

async function runAll(): Promise<void> {
  isRunning = true;
  for (let run = waiting.take(); run; run = waiting.take()) await run();
  isRunning = false;
}

async function runInThread(task: Task): Promise<SandboxResult> {
  thread ??= await startThread();
  const worker = thread;
  worker.ref();
  const answer = await callWorker(worker, task);
  worker.unref();
  if ('json' in answer) return { value: JSON.parse(answer.json) };
  if (answer.isSpent) await worker.terminate();
  return { error: answer.error, ...(answer.isTimeout ? { isTimeout: true } : {}) };
}

async function startThread(): Promise<Worker> {
  const worker = new Worker(THREAD_FILE, {
    env: {},
    execArgv: [],
    stdout: true,
    stderr: true,
    resourceLimits: { maxOldGenerationSizeMb: 64 },
  });
  // Without a listener, an error in the thread ends the process. `once` rejects the pending call.
  worker.on('error', () => undefined);
  worker.once('exit', () => {
    if (thread === worker) thread = undefined;
  });
  await once(worker, 'message', { signal: AbortSignal.timeout(START_MS) }).catch(async error => {
    await worker.terminate();
    throw new Error('The sandbox thread did not start.', { cause: error });
  });
  return worker;
}

async function callWorker(worker: Worker, task: Task): Promise<Answer> {
  const answered = once(worker, 'message', { signal: AbortSignal.timeout(task.timeoutMs + GRACE_MS) });
  worker.postMessage(task);
  try {
    const [answer] = await answered;
    return answer;
  } catch (error) {
    const isLate = error instanceof Error && error.name === 'AbortError';
    if (isLate) return { ...timedOut(task), isSpent: true };
    return { error: 'The code was aborted before it finished.', isSpent: true };
  }
}
