/** Installs MiniStack, an emulator of AWS, from PyPI into `.venv`, and starts it for a test deployment. */

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { setDefaultCACertificates } from 'node:tls';
import { freePort } from '#infra/local/services/ports.ts';
import { clock } from '#shared/core/clock.ts';
import { type Command, CommandFailed, type Running, run, start } from './command.ts';

/** Pinned, so that only changes of this repository affect a test deployment. */
export const EMULATOR_VERSION = '1.5.33';

const VENV = join(import.meta.dirname, '..', '..', '.venv');
const PYTHON = join(VENV, 'bin', 'python');
const START = join(import.meta.dirname, 'startEmulator.py');
const START_TIMEOUT_MS = 60_000;
const POLL_MS = 50;

export interface Emulator {
  endpoint: string;
  certificateFile: string;
  stop(): Promise<void>;
}

export async function installEmulator(logFile: string, signal: AbortSignal): Promise<void> {
  const execute = (program: string, ...args: string[]) => run({ program, args, env: process.env, logFile }, signal);
  const isInstalled = `from importlib.metadata import version; assert version('ministack') == '${EMULATOR_VERSION}'`;
  try {
    await execute(PYTHON, '-c', isInstalled);
  } catch {
    await execute('python3', '-m', 'venv', VENV);
    await execute(PYTHON, '-m', 'pip', 'install', '--quiet', `ministack==${EMULATOR_VERSION}`);
  }
}

/** Starts the emulator on a free port. Functions inherit `env` and run as child processes with its `node`. */
export async function startEmulator(
  env: { TMPDIR: string } & NodeJS.ProcessEnv,
  logFile: string,
  signal: AbortSignal,
): Promise<Emulator> {
  const certificate = { file: join(env.TMPDIR, 'emulator.crt'), keyFile: join(env.TMPDIR, 'emulator.key') };
  await run({ program: 'openssl', args: certificateRequest(certificate), env, logFile }, signal);
  // This process connects only to the emulator.
  setDefaultCACertificates([await readFile(certificate.file, 'utf8')]);

  const port = await freePort();
  const endpoint = `https://127.0.0.1:${port}`;
  const command: Command = {
    program: PYTHON,
    args: [START, ...serverOptions(port, certificate)],
    env: { ...env, ...settings(port, certificate) },
    logFile,
  };
  signal.throwIfAborted();
  const server = start(command);
  try {
    await ready(endpoint, server, command, signal);
  } catch (error) {
    await server.stop();
    throw error;
  }
  return { endpoint, certificateFile: certificate.file, stop: server.stop };
}

interface Certificate {
  file: string;
  keyFile: string;
}

const certificateRequest = ({ file, keyFile }: Certificate) => [
  ...['req', '-x509', '-subj', '/CN=MiniStack', '-addext', 'subjectAltName=IP:127.0.0.1', '-days', '2'],
  ...['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-keyout', keyFile, '-out', file],
];

/** MiniStack's own start script uses port 443 and a short backlog. */
const serverOptions = (port: number, { file, keyFile }: Certificate) => [
  ...['--bind', `127.0.0.1:${port}`, '--certfile', file, '--keyfile', keyFile],
  ...['--workers', '0', '--backlog', '1024', '--keep-alive', '3600'],
];

const settings = (port: number, { file, keyFile }: Certificate) => ({
  MINISTACK_HOST: '127.0.0.1',
  GATEWAY_PORT: String(port),
  PERSIST_STATE: '0',
  SFTP_ENABLED: '0',
  // Enforces roles, so that missing permissions fail.
  AUTH: 'true',
  USE_SSL: '1',
  MINISTACK_SSL_CERT: file,
  MINISTACK_SSL_KEY: keyFile,
  // AWS's limit. The default depends on the machine's memory and may throttle tests.
  LAMBDA_ACCOUNT_CONCURRENCY: '1000',
  LAMBDA_WARM_TTL_SECONDS: '60',
  // Suppresses a warning of the functions' launcher in every log.
  NODE_OPTIONS: '--disable-warning=DEP0169',
});

async function ready(endpoint: string, server: Running, command: Command, signal: AbortSignal): Promise<void> {
  let problem: string | undefined;
  server.ended.then(reason => {
    problem = reason ?? 'ended';
  });
  const isReady = () =>
    fetch(`${endpoint}/_ministack/health`).then(
      ({ ok }) => ok,
      () => false,
    );
  const deadlineMs = clock.now() + START_TIMEOUT_MS;
  while (!(await isReady())) {
    signal.throwIfAborted();
    if (clock.now() > deadlineMs) problem ??= `did not respond within ${START_TIMEOUT_MS / 1000} s`;
    if (problem) throw await CommandFailed.of(command, problem);
    await sleep(POLL_MS);
  }
}
