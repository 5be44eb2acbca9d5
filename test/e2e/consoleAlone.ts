/**
 * `npm run check:console` runs `npm run test:console` against a platform that it starts and stops. Takes the same
 * arguments.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { spawnStart, untilStarted } from '#test/infra/local/startProcess.ts';

const directory = await mkdtemp(join(tmpdir(), 'parley-console-'));
const started = spawnStart(directory, { CONSOLE: 'on' });
const ended = once(started.child, 'exit');
let code = 1;
try {
  await untilStarted(started, directory);
  const tests = spawn(process.execPath, [join(import.meta.dirname, 'console.ts'), ...process.argv.slice(2)], {
    env: { ...process.env, PARLEY_DIR: directory },
    stdio: 'inherit',
  });
  [code] = (await once(tests, 'exit')) as [number];
} finally {
  started.child.kill('SIGINT');
  await ended;
  await rm(directory, { recursive: true });
}
process.exit(code);
