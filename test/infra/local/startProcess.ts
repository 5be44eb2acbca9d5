/** Runs `npm start` as a process. */
import { type ChildProcess, spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { LocalFile } from '#infra/local/demo.ts';

const START = join(import.meta.dirname, '../../../infra/local/start.ts');

const { PATH, NODE_COMPILE_CACHE } = process.env;
/** For the few calls of a test, Java's optimising compiler costs more than its code saves (docs/performance.md). */
const JDK_JAVA_OPTIONS = '-XX:TieredStopAtLevel=1 -XX:+UseSerialGC';

/** @param folder the state directory */
export function spawnStart(folder: string, environment: Record<string, string> = {}) {
  const child = spawn(process.execPath, [START], {
    env: {
      PATH,
      JDK_JAVA_OPTIONS,
      NODE_COMPILE_CACHE,
      PORT: '0',
      PARLEY_DIR: folder,
      RATE_LIMITS: 'off',
      // Excludes the console, whose build would dominate. `npm run test:console` covers it.
      CONSOLE: 'off',
      ...environment,
    },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', data => {
      output += data;
    });
  }
  return { child: child as ChildProcess, output: () => output };
}

/**
 * Waits until the platform runs or is killed.
 * @throws Error with its output when it exits
 */
export async function untilStarted(
  { child, output }: ReturnType<typeof spawnStart>,
  folder: string,
): Promise<LocalFile> {
  while (!output().includes('Press Ctrl-C') && child.signalCode === null) {
    if (child.exitCode !== null) throw new Error(output());
    await sleep(50);
  }
  return JSON.parse(await readFile(join(folder, 'local.json'), 'utf8'));
}
