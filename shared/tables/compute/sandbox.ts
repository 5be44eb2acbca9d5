/**
 * Code of a bot's owner, which computes a value from a row. It is hostile until shown otherwise, and runs beside the
 * data of all bots:
 *
 * - in QuickJS compiled to WebAssembly, which has no way to anything but its own memory: no file, network, process or
 *   environment, and none of our functions, as it is given none. Node's own `vm` is no such wall: its contexts share a
 *   heap with us, and what gets hold of one of our objects has the process;
 * - each time in a fresh runtime, so that nothing of one row or bot is there for the next;
 * - within limits of QuickJS: memory, stack and, by its interrupt handler, time. Regular expressions poll that handler
 *   too; what is built in, like `indexOf` of an object that says its length is 2 ** 53, does not;
 * - therefore in a thread, which is ended when it doesn't answer in time, or when its stack ran out before QuickJS saw
 *   that coming, after which its memory is not to be trusted. The thread has no environment variables.
 *
 * What the thread does is in `sandboxThread.ts`.
 */
import { once } from 'node:events';
import { extname, join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { Values } from '#shared/tables/rows/values.ts';
import { type Answer, ranTooLong, type Task } from './sandboxTask.ts';

export type SandboxResult = { value: unknown } | { error: string };

const TIMEOUT_MS = 500;
const MEMORY_BYTES = 32 * 1024 ** 2;
/** How much later than QuickJS the thread is ended. */
const GRACE_MS = 250;
const START_MS = 10_000;

/** Beside this file lies that of the thread; beside a bundle, its bundle. */
const THREAD_FILE = join(import.meta.dirname, `sandboxThread${extname(import.meta.filename)}`);

let thread: Worker | undefined;
let lastRun: Promise<unknown> = Promise.resolve();

/**
 * Runs code on a row; one after the other, as there is one thread.
 * @param code an expression, or the body of a function that uses `return`, in strict mode. It knows `row`, which is
 *   frozen, and what belongs to the language
 * @returns what JSON makes of the value, and null of undefined; or what went wrong with the code, to be shown to its
 *   owner. A promise is an error: there is nothing to wait for
 * @throws Error when no thread starts
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
  // Idle, it keeps no process alive.
  worker.unref();
  if ('json' in answer) return { value: JSON.parse(answer.json) };
  if (answer.isSpent) await worker.terminate();
  return { error: answer.error };
}

async function startThread(): Promise<Worker> {
  const worker = new Worker(THREAD_FILE, {
    env: {},
    execArgv: [],
    // What WebAssembly prints when it ends itself is nothing new to us.
    stdout: true,
    stderr: true,
    resourceLimits: { maxOldGenerationSizeMb: 64 },
  });
  // Without a listener an error of the thread would end the process; whoever waits for the thread is told by `once`.
  worker.on('error', () => undefined);
  worker.once('exit', () => {
    if (thread === worker) thread = undefined;
  });
  await once(worker, 'message', { signal: AbortSignal.timeout(START_MS) }).catch(async error => {
    await worker.terminate();
    throw new Error('The thread for code of columns did not start.', { cause: error });
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
    return { error: isLate ? ranTooLong(task) : 'The code could not be run to its end.', isSpent: true };
  }
}
