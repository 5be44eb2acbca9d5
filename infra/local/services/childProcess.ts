/** Child processes that end with this one, SIGKILL included. */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { StartupError } from './service.ts';

/**
 * Runs a command until its standard input closes, which the operating system does when this process dies. The shell ignores the
 * interruption of a terminal: this process stops its services in order.
 */
const UNTIL_INPUT_ENDS = `
trap '' INT
exec 3<&0
"$@" 3<&- </dev/null &
child=$!
{ cat >/dev/null; kill $child 2>/dev/null; } <&3 3<&- &
exec 3<&-
wait $child
`;

export interface BoundProcess {
  process: ChildProcessWithoutNullStreams;
  /** Ends the process and waits until it has ended. */
  stop(): Promise<void>;
}

interface Options {
  /** Receives what the command prints, which is otherwise dropped. */
  onOutput?: ((text: string) => void) | undefined;
  /** The command itself exits when its standard input closes. */
  watchesInput?: boolean;
}

/** Spawns a command that ends when this process does, however it ends. On Windows, only if it watches its input. */
export function spawnBound(
  command: string,
  args: readonly string[],
  { onOutput, watchesInput = process.platform === 'win32' }: Options = {},
): BoundProcess {
  const [program, ...rest] = watchesInput
    ? [command, ...args]
    : ['/bin/sh', '-c', UNTIL_INPUT_ENDS, 'sh', command, ...args];
  const child = spawn(program!, rest);
  // The process may end before its input does.
  child.stdin.on('error', () => undefined);
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', text => onOutput?.(text));
  return {
    process: child,
    stop: async () => {
      if (hasEnded(child)) return;
      const ended = once(child, 'exit');
      child.stdin.end();
      await ended;
    },
  };
}

const hasEnded = ({ exitCode, signalCode }: ChildProcessWithoutNullStreams) => exitCode !== null || signalCode !== null;

const START_TIMEOUT_MS = 60_000;
const POLL_MS = 10;

/**
 * Waits for a server to start.
 * @param name of the server, in errors
 * @param isReady given all that the server has printed
 * @throws StartupError with the output when the server exits, or does not start within a minute
 */
export async function untilReady(
  name: string,
  child: ChildProcessWithoutNullStreams,
  isReady: (output: string) => Promise<boolean>,
): Promise<void> {
  let output = '';
  const collect = (text: string) => {
    output += text;
  };
  for (const stream of [child.stdout, child.stderr]) stream.on('data', collect);
  const deadlineMs = performance.now() + START_TIMEOUT_MS;
  while (!(await isReady(output))) {
    if (hasEnded(child)) throw new StartupError(`${name} exited while starting:\n${output}`);
    if (performance.now() > deadlineMs) {
      throw new StartupError(`${name} did not start within ${START_TIMEOUT_MS / 1000} s:\n${output}`);
    }
    await sleep(POLL_MS);
  }
  for (const stream of [child.stdout, child.stderr]) stream.off('data', collect);
}
