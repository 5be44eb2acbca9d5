/** Child processes that exit with this process, even if it is killed. */
import { type ChildProcess, type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { StartupError } from './service.ts';

/**
 * Shell program that reads the ids of processes that start (+) and end (-). Its input closes when this process exits,
 * however it exits. Then it kills the remaining processes. It ignores terminal interrupts, because this process stops
 * its services in order.
 */
const REAPER = `
trap '' INT TERM HUP
running=' '
while read -r change id; do
  case $change in
    +) running="$running$id " ;;
    -) before=\${running%% "$id" *}; running="$before \${running#"$before" "$id" }" ;;
  esac
done
for id in $running; do kill -KILL "$id" 2>/dev/null; done
`;

let reaper: Writable | undefined;

function notifyReaper(change: '+' | '-', id: number): void {
  if (process.platform === 'win32') return;
  if (!reaper) {
    const shell = spawn('/bin/sh', ['-c', REAPER], { stdio: ['pipe', 'ignore', 'ignore'], detached: true });
    reaper = shell.stdin.on('error', () => undefined);
    // Neither the shell nor its pipe keeps this process running.
    shell.unref();
    (shell.stdin as unknown as { unref(): void }).unref();
  }
  reaper.write(`${change} ${id}\n`);
}

const bound = new Set<ChildProcess>();
const killBound = () => {
  for (const child of bound) child.kill('SIGKILL');
};

/** Kills a child process when this process ends. On Windows, only a normal exit does. */
export function bindToThisProcess<Child extends ChildProcess>(child: Child): Child {
  const { pid } = child;
  if (pid === undefined) return child;
  if (bound.size === 0) process.on('exit', killBound);
  bound.add(child);
  notifyReaper('+', pid);
  child.once('exit', () => {
    bound.delete(child);
    if (bound.size === 0) process.off('exit', killBound);
    notifyReaper('-', pid);
  });
  return child;
}

export interface ServerProcess {
  process: ChildProcessWithoutNullStreams;
  stop(): Promise<void>;
}

/** Spawns a server that exits with this process. @param onOutput receives its output, which is discarded otherwise */
export function spawnServer(
  command: string,
  args: readonly string[],
  onOutput?: (text: string) => void,
): ServerProcess {
  const child = bindToThisProcess(spawn(command, args));
  // Without a listener, a command that fails to start would crash this process.
  child.on('error', error => onOutput?.(`${error.message}\n`));
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', text => onOutput?.(text));
  return {
    process: child,
    stop: async () => {
      if (hasEnded(child)) return;
      const ended = once(child, 'exit');
      child.kill();
      await ended;
    },
  };
}

const hasEnded = ({ pid, exitCode, signalCode }: ChildProcess) =>
  pid === undefined || exitCode !== null || signalCode !== null;

const START_TIMEOUT_MS = 60_000;
const POLL_MS = 10;

/** Waits until a server is ready. @throws StartupError when it exits or is not ready within a minute */
export async function untilReady(
  name: string,
  { process: child }: ServerProcess,
  isReady: (output: string) => boolean | Promise<boolean>,
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
