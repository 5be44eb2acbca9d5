/** Pastes blocks of a document into a shell. */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const POLL_MS = 100;

export class Terminal {
  readonly #shell: ChildProcessWithoutNullStreams;
  readonly #scripts: string;
  #output = '';
  #pasted = 0;

  /** @param scripts folder for the text of the blocks */
  constructor(folder: string, environment: NodeJS.ProcessEnv, scripts: string) {
    this.#scripts = scripts;
    // Uses a process group, so that closing ends all processes.
    this.#shell = spawn('bash', ['--noprofile', '--norc'], { cwd: folder, env: environment, detached: true });
    for (const stream of [this.#shell.stdout, this.#shell.stderr]) {
      stream.setEncoding('utf8').on('data', text => {
        this.#output += text;
      });
    }
    this.#shell.stdin.write(`set -E -o pipefail; trap 'echo "FAILED: $BASH_COMMAND"' ERR\n`);
  }

  /** Runs a block to its end. @returns its output @throws Error with the output when a command fails */
  async paste(text: string): Promise<string> {
    const end = this.#source(text);
    await this.#until(output => output.includes(end));
    const output = this.#output.slice(0, this.#output.indexOf(end));
    if (output.includes('FAILED: ')) throw new Error(output);
    return output;
  }

  /** Runs a block whose last command keeps running, until it prints a text. @returns its output so far */
  async pasteUntil(text: string, printed: string): Promise<string> {
    const end = this.#source(text);
    await this.#until(output => output.includes(printed) || output.includes(end));
    if (!this.#output.includes(printed)) throw new Error(this.#output);
    return this.#output;
  }

  async close(): Promise<void> {
    if (this.#shell.exitCode !== null || this.#shell.signalCode !== null) return;
    const closed = once(this.#shell, 'close');
    process.kill(-this.#shell.pid!, 'SIGTERM');
    await closed;
  }

  #source(text: string): string {
    const name = `block-${++this.#pasted}`;
    const file = join(this.#scripts, `${name}-${this.#shell.pid}.sh`);
    writeFileSync(file, text);
    this.#output = '';
    this.#shell.stdin.write(`source ${file} </dev/null; echo "${name} has ended"\n`);
    return `${name} has ended`;
  }

  async #until(isReached: (output: string) => boolean): Promise<void> {
    while (!isReached(this.#output)) {
      if (this.#shell.exitCode !== null) throw new Error(`The shell has ended:\n${this.#output}`);
      await sleep(POLL_MS);
    }
  }
}
