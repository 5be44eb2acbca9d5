/** Processes of functions. They start on demand and exit when idle. */
import { type CpuShare, startCpuShare } from './cpuShare.ts';
import { openVariables, type Stored } from './functionStore.ts';
import { type LateLine, startWorker, type Worker, type WorkerResult } from './lambdaWorker.ts';

/** Maximum processes of one function. Each runs one call at a time. */
const WORKERS_A_FUNCTION = 5;
const IDLE_MS = 30_000;

interface Running {
  worker: Worker;
  idle: NodeJS.Timeout | undefined;
}

export interface WorkerPool {
  call(name: string, stored: Stored, event: unknown): Promise<WorkerResult>;
  end(name: string): void;
  stop(): Promise<void>;
}

/**
 * @param current environment variables that override stored ones, such as the platform's current URL
 * @param onLateOutput receives the variables of a function that prints without a call
 */
export function openWorkerPool(
  directoryOf: (name: string) => string,
  current: () => Record<string, string>,
  onLateOutput: (variables: Record<string, string>, line: LateLine) => void,
): WorkerPool {
  const running = new Map<string, Set<Running>>();
  const waiting = new Map<string, (() => void)[]>();
  /** Functions whose last call ended its process. They run one call at a time, because starting Node is expensive. */
  const ending = new Set<string>();
  const shares = new Map<string, CpuShare>();
  const shareOf = (name: string) => {
    const share = shares.get(name) ?? startCpuShare();
    shares.set(name, share);
    return share;
  };

  async function call(name: string, stored: Stored, event: unknown): Promise<WorkerResult> {
    const workers = running.get(name) ?? new Set();
    running.set(name, workers);
    for (;;) {
      let free = [...workers].find(({ worker }) => !worker.isBusy);
      if (!free && workers.size < (ending.has(name) ? 1 : WORKERS_A_FUNCTION)) {
        const variables = { ...openVariables(name, stored), ...current() };
        const started: Running = {
          idle: undefined,
          worker: startWorker({
            directory: directoryOf(name),
            variables,
            onLateOutput: line => onLateOutput(variables, line),
            memoryMb: stored.configuration.MemorySize,
            timeoutSeconds: stored.configuration.Timeout,
            cpu: shareOf(name),
            makesWay: ending.has(name) || shareOf(name).isSpent(),
          }),
        };
        workers.add(started);
        started.worker.ended.then(() => {
          clearTimeout(started.idle);
          workers.delete(started);
          waiting.get(name)?.shift()?.();
        });
        free = started;
      }
      if (!free) {
        const queue = waiting.get(name) ?? [];
        waiting.set(name, queue);
        await new Promise<void>(resolve => queue.push(resolve));
        continue;
      }
      clearTimeout(free.idle);
      const result = await free.worker.call(event);
      if (result.functionError) ending.add(name);
      else ending.delete(name);
      free.idle = setTimeout(() => free.worker.end(), IDLE_MS).unref();
      waiting.get(name)?.shift()?.();
      return result;
    }
  }

  return {
    call,
    end(name) {
      for (const { worker } of running.get(name) ?? []) worker.end();
      ending.delete(name);
      shares.delete(name);
    },
    async stop() {
      const all = [...running.values()].flatMap(workers => [...workers]);
      for (const { worker } of all) worker.end();
      await Promise.all(all.map(({ worker }) => worker.ended));
    },
  };
}
