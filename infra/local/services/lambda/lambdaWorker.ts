/** A function's process. It runs one call at a time and is killed when it exceeds its time, memory or output limit. */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { constants, setPriority } from 'node:os';
import { join } from 'node:path';
import { bindToThisProcess } from '#infra/local/runtime/childProcess.ts';
import type { CpuShare } from './cpuShare.ts';
import { CHANNEL, type EventMessage, ResultMessage } from './runtime.ts';

export interface WorkerSettings {
  directory: string;
  variables: Record<string, string>;
  memoryMb: number;
  timeoutSeconds: number;
  cpu: CpuShare;
  makesWay: boolean;
  onLateOutput(line: LateLine): void;
}

export type LateLine = Pick<Extract<ResultMessage, { kind: 'late' }>, 'level' | 'text'>;

export type WorkerResult = { payload: string; functionError?: 'Unhandled'; tail: Buffer };

const TAIL_BYTES = 4_096;
const OUTPUT_BYTES = 2 * 1024 * 1024;
/** Lambda's limit for a response payload. */
const PAYLOAD_BYTES = 6_291_556;
/** Maximum length of a message: a payload of the maximum size in which every character is escaped. */
const MESSAGE_CHARACTERS = 2 * PAYLOAD_BYTES + 1_000;
const CHECK_MS = 100;
/** CPU time for the start of Node and the code, in units of 10 ms. It does not count as use. */
const START_TICKS = 30;
const PAGE_BYTES = 4_096;
/** Lambda's limit for the init phase. A call's timeout starts after that phase. */
const START_SECONDS = 10;
const NODE_MB = 160;

export interface Worker {
  readonly isBusy: boolean;
  readonly ended: Promise<void>;
  call(event: unknown): Promise<WorkerResult>;
  end(): void;
}

export function startWorker({
  directory,
  variables,
  memoryMb,
  timeoutSeconds,
  cpu,
  makesWay,
  onLateOutput,
}: WorkerSettings): Worker {
  const child = bindToThisProcess(
    spawn(
      process.execPath,
      [
        '--permission',
        `--allow-fs-read=${directory}/*`,
        // SQLite opens any file, and the signal opens an inspector with access to the internals of Node.
        ...['--no-experimental-sqlite', '--disable-sigusr1'],
        `--max-old-space-size=${memoryMb}`,
        '--no-warnings',
        join(directory, 'runtime.cjs'),
        ...servicePorts(),
      ],
      // Inherits no environment variables. The separate session keeps signals to the process group from the platform.
      { cwd: directory, detached: true, env: variables, stdio: ['ignore', 'pipe', 'pipe', 'pipe'] },
    ),
  );
  let hasMadeWay = makesWay;
  if (makesWay) lowerPriority(child);
  let output = Buffer.alloc(0);
  let printedBytes = 0;
  for (const stream of [child.stdout!, child.stderr!]) {
    stream.on('data', (bytes: Buffer) => {
      output = Buffer.concat([output, bytes.subarray(-TAIL_BYTES)]).subarray(-TAIL_BYTES);
      printedBytes += bytes.length;
      if (printedBytes > OUTPUT_BYTES) kill(TOO_MUCH_OUTPUT);
    });
  }
  let pending: { id: number; resolve(answer: WorkerResult): void } | undefined;
  let calls = 0;
  let endedBy: { errorType: string; errorMessage: string } | undefined;
  const settle = (payload: string, functionError?: 'Unhandled') => {
    const settled = pending;
    pending = undefined;
    settled?.resolve({ payload, ...(functionError ? { functionError } : {}), tail: output });
  };
  let seenTicks = START_TICKS;
  const countCpu = () => {
    const ticks = cpuTicksOf(child);
    if (ticks <= seenTicks) return;
    cpu.use(ticks - seenTicks);
    seenTicks = ticks;
    if (hasMadeWay || !cpu.isSpent()) return;
    hasMadeWay = true;
    lowerPriority(child);
  };
  const { promise: ready, resolve: onReady } = Promise.withResolvers<void>();
  let isReady = false;
  const take = (message: ResultMessage | undefined) => {
    if (message?.kind === 'error') return kill(message);
    if (message?.kind === 'ready' && !isReady) {
      isReady = true;
      onReady();
      seenTicks = Math.min(seenTicks, cpuTicksOf(child));
      return;
    }
    if (message?.kind === 'late') return onLateOutput(message);
    if (message?.kind !== 'answer' || message.id !== pending?.id) return kill(OUT_OF_TURN);
    countCpu();
    if (Buffer.byteLength(message.payload) > PAYLOAD_BYTES) settle(JSON.stringify(TOO_LARGE), 'Unhandled');
    else settle(message.payload);
  };
  // Null if the process failed to start.
  const channel = child.stdio[CHANNEL] as Socket | null;
  let received = '';
  channel?.setEncoding('utf8').on('data', (text: string) => {
    const lines = text.split('\n');
    for (const line of lines.slice(0, -1)) {
      if (!endedBy) take(messageIn(received + line));
      received = '';
    }
    received = endedBy ? '' : received + lines.at(-1);
    if (received.length > MESSAGE_CHARACTERS) kill(TOO_LARGE);
  });
  channel?.on('error', () => undefined);
  const ended = new Promise<void>(resolve => {
    child.on('error', () => resolve());
    child.on('close', (code, signal) => {
      const { errorType, errorMessage } = endedBy ?? exitError(code, signal, output.toString());
      // Ended by the code after its response. `end` sends a signal.
      if (!pending && code) onLateOutput({ level: 'error', text: `${errorMessage} (after the response)` });
      settle(JSON.stringify({ errorType, errorMessage }), 'Unhandled');
      resolve();
    });
  });
  const kill = ({ errorType, errorMessage }: { errorType: string; errorMessage: string }) => {
    endedBy ??= { errorType, errorMessage };
    child.kill('SIGKILL');
  };
  const limitBytes = (memoryMb + NODE_MB) * 1024 * 1024;

  return {
    get isBusy() {
      return pending !== undefined;
    },
    ended,
    call: event =>
      new Promise(resolve => {
        const id = ++calls;
        output = Buffer.alloc(0);
        printedBytes = 0;
        const killAfter = (seconds: number) =>
          setTimeout(kill, seconds * 1000, {
            errorType: 'Sandbox.Timedout',
            errorMessage: `Task timed out after ${timeoutSeconds.toFixed(2)} seconds`,
          });
        let timeout = killAfter(START_SECONDS + timeoutSeconds);
        void ready.then(() => {
          if (pending?.id !== id) return;
          clearTimeout(timeout);
          timeout = killAfter(timeoutSeconds);
        });
        const check = setInterval(() => {
          if ((memoryOf(child) ?? 0) > limitBytes) kill(OUT_OF_MEMORY);
          countCpu();
        }, CHECK_MS);
        pending = {
          id,
          resolve: answer => {
            clearTimeout(timeout);
            clearInterval(check);
            resolve(answer);
          },
        };
        if (child.exitCode !== null || child.signalCode !== null) return reportExit();
        channel?.write(`${JSON.stringify({ id, event } satisfies EventMessage)}\n`);

        function reportExit() {
          const { errorType, errorMessage } = endedBy ?? exitError(child.exitCode, child.signalCode, output.toString());
          settle(JSON.stringify({ errorType, errorMessage }), 'Unhandled');
        }
      }),
    end: () => void child.kill('SIGKILL'),
  };
}

const servicePorts = (): string[] =>
  Object.entries(process.env).flatMap(([name, value = '']) =>
    name.startsWith('AWS_ENDPOINT_URL') ? (URL.parse(value)?.port ?? []) : [],
  );

function messageIn(line: string): ResultMessage | undefined {
  try {
    return ResultMessage.safeParse(JSON.parse(line)).data;
  } catch {
    return undefined;
  }
}

const TOO_MUCH_OUTPUT = {
  errorType: 'Runtime.OutputLimit',
  errorMessage: `The process printed more than ${OUTPUT_BYTES / 1024 / 1024} MB in one call`,
};
const TOO_LARGE = {
  errorType: 'Function.ResponseSizeTooLarge',
  errorMessage: `Response payload size exceeded maximum allowed payload size (${PAYLOAD_BYTES} bytes).`,
};
const OUT_OF_TURN = {
  errorType: 'Runtime.InvalidMessage',
  errorMessage: 'The process sent an unexpected message',
};
const OUT_OF_MEMORY = { errorType: 'Runtime.OutOfMemory', errorMessage: 'Runtime exited with error: signal: killed' };

function exitError(code: number | null, signal: NodeJS.Signals | null, tail: string) {
  if (signal === 'SIGABRT' || /heap out of memory/.test(tail)) return OUT_OF_MEMORY;
  return {
    errorType: 'Runtime.ExitError',
    errorMessage: `Runtime exited with error: ${signal ? `signal: ${signal}` : `exit status ${code}`}`,
  };
}

/** Returns the CPU time in units of 10 ms, or 0 without `/proc`. */
function cpuTicksOf({ pid }: ChildProcess): number {
  const file = `/proc/${pid}/stat`;
  if (!existsSync(file)) return 0;
  try {
    // The name, in brackets, may contain spaces.
    const fields = readFileSync(file, 'utf8').split(') ').at(-1)!.split(' ');
    return Number(fields[11]) + Number(fields[12]);
  } catch {
    return 0;
  }
}

/** Lowers the priority for the rest of the process's lifetime, because raising it requires privileges. */
function lowerPriority({ pid }: ChildProcess): void {
  try {
    for (const thread of threadsOf(pid!)) setPriority(thread, constants.priority.PRIORITY_LOW);
  } catch {}
}

/** Lists the threads, including garbage collection. On Linux, each has its own priority. */
function threadsOf(pid: number): number[] {
  const directory = `/proc/${pid}/task`;
  return existsSync(directory) ? readdirSync(directory).map(Number) : [pid];
}

/** Returns the resident bytes, or undefined without `/proc`, where only the heap is limited. */
function memoryOf({ pid }: ChildProcess): number | undefined {
  const file = `/proc/${pid}/statm`;
  if (!existsSync(file)) return undefined;
  try {
    return Number(readFileSync(file, 'utf8').split(' ')[1]) * PAGE_BYTES;
  } catch {
    return undefined;
  }
}
