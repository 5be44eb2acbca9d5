/** Commands run in their own process groups, so that stopping one stops its children. */
import { spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** Grace period before a command is killed. */
const STOP_TIMEOUT_MS = 5_000;
const TAIL_LINES = 200;

export interface Command {
  program: string;
  args: string[];
  cwd?: string;
  /** Complete environment, because nothing is inherited. */
  env: NodeJS.ProcessEnv;
  logFile: string;
}

export interface Running {
  /** The problem, such as "ended with code 1", or undefined. Never rejects. */
  ended: Promise<string | undefined>;
  stop(): Promise<void>;
}

export class CommandFailed extends Error {
  override readonly name = 'CommandFailed';
  readonly output: string;

  private constructor(message: string, output: string) {
    super(message);
    this.output = output;
  }

  static async of({ program, args, logFile }: Command, problem: string): Promise<CommandFailed> {
    const lines = (await readFile(logFile, 'utf8')).trimEnd().split('\n');
    const command = [program, ...args.slice(0, 2)].map(part => basename(part)).join(' ');
    return new CommandFailed(`${command} ${problem}.`, lines.slice(-TAIL_LINES).join('\n'));
  }
}

export function start({ program, args, cwd, env, logFile }: Command): Running {
  const log = openSync(logFile, 'a');
  const child = spawn(program, args, { ...(cwd ? { cwd } : {}), env, stdio: ['ignore', log, log], detached: true });
  closeSync(log);
  const ended = new Promise<string | undefined>(resolve => {
    child.once('error', error => resolve(`did not start: ${error.message}`));
    child.once('exit', (code, signal) => resolve(code === 0 ? undefined : `ended with ${signal ?? `code ${code}`}`));
  });

  const signalGroup = (signal: NodeJS.Signals) => {
    try {
      if (child.pid) process.kill(-child.pid, signal);
    } catch {
      // The group has exited.
    }
  };
  const killGroup = () => signalGroup('SIGKILL');
  process.once('exit', killGroup);
  return {
    ended,
    stop: async () => {
      signalGroup('SIGTERM');
      await Promise.race([ended, sleep(STOP_TIMEOUT_MS, undefined, { ref: false })]);
      killGroup();
      process.off('exit', killGroup);
    },
  };
}

/** Runs a command and returns its output. @throws CommandFailed, or the reason of the aborted signal */
export async function run(command: Command, signal: AbortSignal): Promise<string> {
  signal.throwIfAborted();
  const running = start(command);
  const stop = () => running.stop();
  signal.addEventListener('abort', stop);
  try {
    const problem = await running.ended;
    signal.throwIfAborted();
    if (problem) throw await CommandFailed.of(command, problem);
    return await readFile(command.logFile, 'utf8');
  } finally {
    signal.removeEventListener('abort', stop);
    await running.stop();
  }
}
