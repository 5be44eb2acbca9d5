/** Tests the output of the operator's commands. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '../../..');

it('writes log lines to stderr, because stdout is the result of the command', () => {
  const program = `
    const { runCommand } = await import('#infra/operator/target/target.ts');
    const { log } = await import('#shared/core/log.ts');
    await runCommand(async () => {
      log.info('Processed a job.');
      log.warn('A job failed.');
      process.stdout.write('the result');
    });`;

  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', program], {
    cwd: ROOT,
    encoding: 'utf8',
  });

  const lines = stderr
    .trimEnd()
    .split('\n')
    .map(line => JSON.parse(line));
  expect(stdout).toBe('the result');
  expect(lines).toMatchObject([{ message: 'Processed a job.' }, { message: 'A job failed.' }]);
});
