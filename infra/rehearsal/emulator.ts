/** MiniStack, an emulator of AWS on this machine: installed from PyPI into `.venv`, started for one rehearsal. */
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../local/ports.ts';
import { type Command, CommandFailed, type Running, run, start } from './command.ts';

/** Pinned: a rehearsal must fail for our changes, not for the emulator's. */
export const EMULATOR_VERSION = '1.5.33';

const VENV = join(import.meta.dirname, '..', '..', '.venv');
const PYTHON = join(VENV, 'bin', 'python');
const START_TIMEOUT_MS = 60_000;
const POLL_MS = 50;

export interface Emulator {
  endpoint: string;
  stop(): Promise<void>;
}

/** Leaves an installation of the right version alone. */
export async function installEmulator(logFile: string, signal: AbortSignal): Promise<void> {
  // pip reads from the user's environment and home where to fetch from.
  const execute = (program: string, ...args: string[]) => run({ program, args, env: process.env, logFile }, signal);
  const isInstalled = `from importlib.metadata import version; assert version('ministack') == '${EMULATOR_VERSION}'`;
  try {
    await execute(PYTHON, '-c', isInstalled);
  } catch {
    await execute('python3', '-m', 'venv', VENV);
    await execute(PYTHON, '-m', 'pip', 'install', '--quiet', `ministack==${EMULATOR_VERSION}`);
  }
}

/**
 * Starts it on a free port, with everything in memory.
 * @param env what the functions inherit, too: MiniStack runs them as its children, by the `node` on its path
 */
export async function startEmulator(env: NodeJS.ProcessEnv, logFile: string, signal: AbortSignal): Promise<Emulator> {
  const port = await freePort();
  const endpoint = `http://127.0.0.1:${port}`;
  const command: Command = {
    program: join(VENV, 'bin', 'ministack'),
    args: [],
    env: { ...env, ...settings(port) },
    logFile,
  };
  signal.throwIfAborted();
  const server = start(command);
  try {
    await answering(endpoint, server, command, signal);
  } catch (error) {
    await server.stop();
    throw error;
  }
  return { endpoint, stop: server.stop };
}

const settings = (port: number) => ({
  BIND_HOST: '127.0.0.1',
  MINISTACK_HOST: '127.0.0.1',
  GATEWAY_PORT: String(port),
  PERSIST_STATE: '0',
  SFTP_ENABLED: '0',
  // AWS's own limit. The default follows from the memory of the machine and would throttle our tests on a small one.
  LAMBDA_ACCOUNT_CONCURRENCY: '1000',
  LAMBDA_WARM_TTL_SECONDS: '60',
  // What starts the functions uses `url.parse`, and each of them would log so.
  NODE_OPTIONS: '--disable-warning=DEP0169',
});

async function answering(endpoint: string, server: Running, command: Command, signal: AbortSignal): Promise<void> {
  let problem: string | undefined;
  server.ended.then(reason => {
    problem = reason ?? 'ended';
  });
  const isReady = () =>
    fetch(`${endpoint}/_ministack/health`).then(
      ({ ok }) => ok,
      () => false,
    );
  const deadlineMs = Date.now() + START_TIMEOUT_MS;
  while (!(await isReady())) {
    signal.throwIfAborted();
    if (Date.now() > deadlineMs) problem ??= `did not answer within ${START_TIMEOUT_MS / 1000} s`;
    if (problem) throw await CommandFailed.of(command, problem);
    await sleep(POLL_MS);
  }
}
