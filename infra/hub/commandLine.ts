/** Runs the CLI of the public repository. */
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { closeSync, mkdirSync, openSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { startOf } from '#shared/core/excerpt.ts';

export interface Run {
  ok: boolean;
  stdout: string;
  /** Standard output and standard error, without colours. */
  output: string;
}

export interface Checkout {
  /** The checked-out repository, to which paths are relative. */
  folder: string;
  /** Path of the CLI's entry file. */
  cli: string;
}

const TIMEOUT_MS = 300_000;

/** @param env in addition to the search path and the home folder, because builds run the repository's code */
export async function runCli(
  { folder, cli }: Checkout,
  path: string,
  args: readonly string[],
  env: Record<string, string> = {},
): Promise<Run> {
  const { PATH, HOME, TMPDIR } = process.env;
  const outputs = join(folder, 'outputs');
  mkdirSync(outputs, { recursive: true });
  // The CLI exits before a pipe has taken a long output.
  const file = join(outputs, randomUUID());
  const [stdout, stderr] = [openSync(file, 'w'), openSync(`${file}.err`, 'w')];
  const child = spawn(process.execPath, [cli, ...args, '-y', '--botpressHome', join(folder, 'home')], {
    cwd: join(folder, path),
    // Without the flag, the CLI prefixes names with the handle of the workspace.
    env: { PATH, HOME, TMPDIR, NO_COLOR: '1', NODE_NO_WARNINGS: '1', BP_IS_BOTPRESS_WORKSPACE: 'true', ...env },
    timeout: TIMEOUT_MS,
    stdio: ['ignore', stdout, stderr],
  });
  const [code, signal] = await once(child, 'exit');
  const printed = [file, `${file}.err`].map(each => readFileSync(each, 'utf8'));
  for (const descriptor of [stdout, stderr]) closeSync(descriptor);
  for (const each of [file, `${file}.err`]) rmSync(each);
  const output = stripVTControlCharacters(printed.join('')) + (signal ? '\nIt did not end.' : '');
  return { ok: code === 0, stdout: printed[0]!, output };
}

/** Progress, and what esbuild prints when the CLI exits before it. */
const NOISE = /^(?:🤖|🏠|○|✓|👤|🔗|fatal error: all goroutines)/u;
const LONGEST = 300;

/** Returns the lines of an output that describe the error. */
export function errorIn(output: string): string {
  const lines = output
    .split('\n')
    .map(line => line.trim())
    .filter(line => line !== '' && !NOISE.test(line));
  const at = lines.findIndex(line => line.startsWith('×'));
  return shortened(lines.slice(Math.max(at, 0)).join(' ').replace(/^× /, ''));
}

export function shortened(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > LONGEST ? `${startOf(line, LONGEST)} …` : line;
}
