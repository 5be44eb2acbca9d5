/**
 * A worker thread for interpreters of tenants' code. The thread has no environment variables and is terminated on
 * timeout. It posts a message when it has started, and then one answer per task.
 */
import { once } from 'node:events';
import { Worker, type WorkerOptions } from 'node:worker_threads';
import { createFairQueue } from './fairQueue.ts';

interface TaskThreadOptions {
  /** For errors, for example `sandbox thread`. */
  name: string;
  file: string;
  startMs: number;
  resourceLimits?: NonNullable<WorkerOptions['resourceLimits']>;
}

interface TaskThread<Task, Answer> {
  /** Runs work serially, because there is one thread. Scheduling is round-robin by tenant. */
  schedule<T>(tenant: string, work: () => Promise<T>): Promise<T>;
  /**
   * Returns the answer to a task. `late` and `aborted` have none: the thread was terminated, and the next call starts
   * another one.
   */
  call(task: Task, timeoutMs: number): Promise<Answer | 'late' | 'aborted'>;
}

/** @property isSpent the interpreter may be corrupt: the thread is terminated after this answer */
export function createTaskThread<Task, Answer extends { isSpent?: true | undefined }>({
  name,
  file,
  startMs,
  resourceLimits,
}: TaskThreadOptions): TaskThread<Task, Answer> {
  const waiting = createFairQueue<() => Promise<void>>();
  let isRunning = false;
  let thread: Worker | undefined;

  async function runAll(): Promise<void> {
    isRunning = true;
    for (let run = waiting.take(); run; run = waiting.take()) await run();
    isRunning = false;
  }

  async function startThread(): Promise<Worker> {
    const worker = new Worker(file, {
      env: {},
      execArgv: [],
      stdout: true,
      stderr: true,
      ...(resourceLimits ? { resourceLimits } : {}),
    });
    // Without a listener, an error in the thread ends the process. `once` rejects the pending call.
    worker.on('error', () => undefined);
    worker.once('exit', () => {
      if (thread === worker) thread = undefined;
    });
    await once(worker, 'message', { signal: AbortSignal.timeout(startMs) }).catch(async error => {
      await worker.terminate();
      throw new Error(`The ${name} did not start.`, { cause: error });
    });
    return worker;
  }

  return {
    schedule<T>(tenant: string, work: () => Promise<T>) {
      const { promise, resolve, reject } = Promise.withResolvers<T>();
      waiting.add(tenant, () => work().then(resolve, reject));
      if (!isRunning) void runAll();
      return promise;
    },
    async call(task, timeoutMs) {
      thread ??= await startThread();
      const worker = thread;
      worker.ref();
      const answered = once(worker, 'message', { signal: AbortSignal.timeout(timeoutMs) });
      worker.postMessage(task);
      try {
        const [answer] = (await answered) as [Answer];
        worker.unref();
        if (answer.isSpent) await worker.terminate();
        return answer;
      } catch (error) {
        await worker.terminate();
        return error instanceof Error && error.name === 'AbortError' ? 'late' : 'aborted';
      }
    },
  };
}
