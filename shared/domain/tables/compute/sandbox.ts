/**
 * Runs a table owner's code on a row. The code is untrusted and runs beside the data of all tenants, so it runs:
 *
 * - in QuickJS compiled to WebAssembly, which reaches nothing but its own memory: no file, network, process or
 *   environment, and no host function, since it is given none. Node's `vm` is no such boundary: its contexts share the
 *   host's heap, and code that gets hold of one host object controls the process;
 * - in a fresh runtime each time, so nothing leaks from one row or tenant to the next;
 * - within QuickJS limits of memory, stack and, through its interrupt handler, time. Regular expressions poll that
 *   handler; built-in functions do not, such as `indexOf` on an object that claims a length of 2 ** 53;
 * - therefore in a thread, which is terminated when it does not answer in time, or when its stack overflowed before
 *   QuickJS noticed, after which its memory cannot be trusted. The thread has no environment variables.
 *
 * The code of the thread is in `sandboxThread.ts`.
 */
import { once } from 'node:events';
import { extname, join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { Values } from '#shared/domain/tables/schema/values.ts';
import { type Answer, ranTooLong, type Task } from './sandboxTask.ts';

export type SandboxResult = { value: unknown } | { error: string };

const TIMEOUT_MS = 500;
const MEMORY_BYTES = 32 * 1024 ** 2;
/** The thread is terminated this long after QuickJS should have stopped the code. */
const GRACE_MS = 250;
const START_MS = 10_000;

/** The thread's file lies beside this one; in a deployment, its bundle lies beside the function's. */
const THREAD_FILE = join(import.meta.dirname, `sandboxThread${extname(import.meta.filename)}`);

let thread: Worker | undefined;
let lastRun: Promise<unknown> = Promise.resolve();

/**
 * Runs code on a row. Calls run one after another, since there is one thread.
 * @param code an expression, or a function body with `return`, in strict mode. Its only input is `row`, deeply frozen
 * @returns the value after a round trip through JSON, with null for undefined; or an error to show to the code's owner.
 * A promise is an error, since nothing could settle it
 * @throws Error when the thread does not start
 */
export function runCode(
  code: string,
  row: Values,
  { timeoutMs = TIMEOUT_MS, memoryBytes = MEMORY_BYTES }: { timeoutMs?: number; memoryBytes?: number } = {},
): Promise<SandboxResult> {
  const task = { code, row: JSON.stringify(row), timeoutMs, memoryBytes };
  const run = lastRun.then(() => runInThread(task));
  lastRun = run.catch(() => undefined);
  return run;
}

async function runInThread(task: Task): Promise<SandboxResult> {
  thread ??= await startThread();
  const worker = thread;
  worker.ref();
  const answer = await ask(worker, task);
  // An idle thread must not keep the process alive.
  worker.unref();
  if ('json' in answer) return { value: JSON.parse(answer.json) };
  if (answer.isSpent) await worker.terminate();
  return { error: answer.error };
}

async function startThread(): Promise<Worker> {
  const worker = new Worker(THREAD_FILE, {
    env: {},
    execArgv: [],
    // Discards what WebAssembly prints when it aborts.
    stdout: true,
    stderr: true,
    resourceLimits: { maxOldGenerationSizeMb: 64 },
  });
  // Without a listener an error of the thread would end the process. `once` reports it to the waiting call.
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

async function ask(worker: Worker, task: Task): Promise<Answer> {
  const answered = once(worker, 'message', { signal: AbortSignal.timeout(task.timeoutMs + GRACE_MS) });
  worker.postMessage(task);
  try {
    const [answer] = await answered;
    return answer;
  } catch (error) {
    const isLate = error instanceof Error && error.name === 'AbortError';
    return { error: isLate ? ranTooLong(task) : 'The code was aborted before it ended.', isSpent: true };
  }
}
