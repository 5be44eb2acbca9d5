/**
 * Runs an integration's script on a request. The language (VRL) has no unbounded loops, files or network, and the
 * interpreter is WebAssembly. It limits neither time nor memory, so it runs in a thread that is terminated on timeout.
 * The timeout also bounds the memory: doubling a text in a loop took 1.7 s to reach 170 MB.
 */
import { once } from 'node:events';
import { extname, join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { createFairQueue } from '#shared/core/fairQueue.ts';
import type { Answer, Task } from './scriptTask.ts';

const TIMEOUT_MS = 1_000;
/** The interpreter has 10 MB of code. */
const START_MS = 15_000;

/** Relative to this file, or to the function's bundle in a deployment. */
const THREAD_FILE = join(import.meta.dirname, `scriptThread${extname(import.meta.filename)}`);

let thread: Worker | undefined;
let isRunning = false;
const waiting = createFairQueue<() => Promise<void>>();

/**
 * Calls are serialized, because there is one thread.
 * @param tenant the integration. Scheduling is round-robin by integration
 * @returns the script's last value, or an error for the author of the integration
 */
export function runScript(tenant: string, script: string, event: Record<string, unknown>): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  waiting.add(tenant, () => runInThread({ script, event }).then(resolve, reject));
  if (!isRunning) void runAll();
  return promise;
}

async function runAll(): Promise<void> {
  isRunning = true;
  for (let run = waiting.take(); run; run = waiting.take()) await run();
  isRunning = false;
}

async function runInThread(task: Task): Promise<Answer> {
  thread ??= await startThread();
  const worker = thread;
  worker.ref();
  const answered = once(worker, 'message', { signal: AbortSignal.timeout(TIMEOUT_MS) });
  worker.postMessage(task);
  try {
    const [answer] = (await answered) as [Answer];
    worker.unref();
    if ('isSpent' in answer) await worker.terminate();
    return answer;
  } catch (error) {
    await worker.terminate();
    const isLate = error instanceof Error && error.name === 'AbortError';
    return { error: isLate ? `The script ran longer than ${TIMEOUT_MS} ms.` : 'The script was aborted.' };
  }
}

async function startThread(): Promise<Worker> {
  const worker = new Worker(THREAD_FILE, { env: {}, execArgv: [], stdout: true, stderr: true });
  // Without a listener, an error in the thread ends the process. `once` rejects the pending call.
  worker.on('error', () => undefined);
  worker.once('exit', () => {
    if (thread === worker) thread = undefined;
  });
  await once(worker, 'message', { signal: AbortSignal.timeout(START_MS) }).catch(async error => {
    await worker.terminate();
    throw new Error('The script thread did not start.', { cause: error });
  });
  return worker;
}
