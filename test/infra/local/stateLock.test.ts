import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { lockState } from '#infra/local/stateLock.ts';

/** Locks a folder, drops the lock object as `npm start` does, and collects garbage on request. */
const HOLDER = `
  import { lockState } from '#infra/local/stateLock.ts';
  (() => lockState(process.argv[1]).setUrl('http://127.0.0.1:4100'))();
  for (let i = 0; i < 3; i++) await gc({ type: 'major', execution: 'async' });
  process.stdout.write('collected\\n');
  process.stdin.resume();
`;

const directory = mkdtempSync(join(tmpdir(), 'parley-lock-'));
const holder = spawn(
  process.execPath,
  ['--expose-gc', '--no-warnings', '--input-type=module', '--eval', HOLDER, directory],
  { stdio: ['pipe', 'pipe', 'inherit'] },
);

beforeAll(() => once(createInterface(holder.stdout), 'line'));

afterAll(() => {
  holder.kill('SIGKILL');
});

it('keeps the lock after a garbage collection, and names its holder', () => {
  const lock = () => lockState(directory);

  expect(lock).toThrow(`Another platform uses ${directory} (pid ${holder.pid}, http://127.0.0.1:4100).`);
});

it('releases the lock when its process is killed', async () => {
  holder.kill('SIGKILL');
  await once(holder, 'exit');

  const lock = lockState(directory);

  expect(() => lockState(directory)).toThrow('Another platform uses');
  lock.release();
  lockState(directory).release();
});
