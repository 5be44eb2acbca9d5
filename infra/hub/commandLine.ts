/** Runs the CLI of the public repository. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdirSync, openSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';

interface Run {
  ok: boolean;
  stdout: string;
  /** What it printed, without colours. */
  output: string;
}

export type CommandLine = (path: string, ...args: string[]) => Promise<Run>;

const TIMEOUT_MS = 180_000;

/**
 * @param folder of the checked-out repository, to which paths are relative
 * @param cli the command line's file
 */
export function commandLine(folder: string, cli: string): CommandLine {
  // The vendor's own workspace deploys packages without a prefix, and bots find them by these names.
  const env = { ...process.env, BP_IS_BOTPRESS_WORKSPACE: 'true', NODE_NO_WARNINGS: '1' };
  const outputs = join(folder, 'outputs');
  mkdirSync(outputs, { recursive: true });
  let runs = 0;
  return async (path, ...args) => {
    // The CLI exits before a pipe has taken a long output.
    const file = join(outputs, `${++runs}`);
    const [stdout, stderr] = [openSync(file, 'w'), openSync(`${file}.err`, 'w')];
    const all = [cli, ...args, '-y', '--botpressHome', join(folder, 'home')];
    const child = spawn(process.execPath, all, {
      cwd: join(folder, path),
      env,
      timeout: TIMEOUT_MS,
      stdio: ['ignore', stdout, stderr],
    });
    const [code, signal] = await once(child, 'exit');
    const printed = [file, `${file}.err`].map(each => readFileSync(each, 'utf8'));
    for (const descriptor of [stdout, stderr]) closeSync(descriptor);
    for (const each of [file, `${file}.err`]) rmSync(each);
    const output = stripVTControlCharacters(printed.join('')) + (signal ? '\nIt did not end.' : '');
    return { ok: code === 0, stdout: printed[0]!, output };
  };
}
