import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { expect, it, vi } from 'vitest';

/** Binds two endless children, and exits as requested. */
const PARENT = `
  import { spawn } from 'node:child_process';
  import { once } from 'node:events';
  import { bindToThisProcess } from '#infra/local/runtime/childProcess.ts';
  const start = () => bindToThisProcess(spawn(process.execPath, ['--eval', 'for (;;);'], { stdio: 'ignore' }));
  const [busy, ended] = [start(), start()];
  ended.kill('SIGKILL');
  await once(ended, 'exit');
  process.stdout.write(String(busy.pid), () => {
    if (process.argv[1] === 'exit') process.exit();
    else process.kill(process.pid, process.argv[1]);
  });
`;

const isAlive = (pid: number) => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

it.each(['exit', 'SIGTERM', 'SIGKILL'])('ends a busy child process when its parent ends by %s', async ending => {
  const parent = spawn(process.execPath, ['--input-type=module', '--eval', PARENT, ending]);

  const [output] = await Promise.all([text(parent.stdout), once(parent, 'exit')]);

  expect(Number(output)).toBeGreaterThan(1);
  await vi.waitFor(() => expect(isAlive(Number(output))).toBe(false), { timeout: 30_000 });
});
