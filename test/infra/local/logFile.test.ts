import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { failureLine, requestLine } from '#infra/local/logFile.ts';

const entry = (fields: object) => JSON.stringify({ message: 'A job failed.', ...fields });

it('prints a request on one line, and the error id of one that failed', () => {
  const request = { method: 'POST', path: '/chat/wh/messages', status: 201, durationMs: 12.4 };

  expect(requestLine(request)).toBe('POST   /chat/wh/messages  201  12 ms');
  expect(requestLine({ ...request, status: 500, errorId: 'err_1' })).toBe(
    'POST   /chat/wh/messages  500  12 ms  err_1',
  );
});

it.each([
  [
    'a failed job',
    entry({ level: 'WARN', queue: 'deliveries', error: { message: 'refused' } }),
    '! A job failed. (deliveries) refused',
  ],
  ['a failed consumer', entry({ level: 'ERROR', operation: 'deliver' }), '! A job failed. (deliver)'],
  ['an error of a library', 'Error: broken\n    at here', '! Error: broken'],
])('prints %s on one line', (_, text, line) => {
  expect(failureLine('error', text)).toBe(line);
});

it.each([
  ['an entry for information', 'info', entry({ level: 'INFO' })],
  ["a failed request, whose line has the error's id", 'error', entry({ level: 'ERROR', errorId: 'err_1' })],
  ['the chatter of a library', 'log', 'Listening on port 0'],
])('prints no line for %s', (_, level, text) => {
  expect(failureLine(level, text)).toBeUndefined();
});

it('writes log lines and library output to the file, and prints only failures', () => {
  const file = join(mkdtempSync(join(tmpdir(), 'parley-log-')), 'parley.log');
  const program = `
    const { openLogFile } = await import('#infra/local/logFile.ts');
    const { log } = await import('#shared/core/log.ts');
    openLogFile(${JSON.stringify(file)}).show();
    log.info('Processed a job.', { queue: 'deliveries' });
    log.warn('A job failed.', { queue: 'deliveries' });
    console.log('Listening on port %d', 0);
    console.error('Error: broken');`;

  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', program], {
    cwd: join(import.meta.dirname, '../../..'),
    encoding: 'utf8',
  });

  const [processed, failed, ...printed] = readFileSync(file, 'utf8').trimEnd().split('\n');
  expect([processed, failed].map(line => JSON.parse(line!).message)).toEqual(['Processed a job.', 'A job failed.']);
  expect(printed).toEqual(['Listening on port 0', 'Error: broken']);
  expect(stdout).toBe('! A job failed. (deliveries)\n! Error: broken\n');
  expect(stderr).toBe('');
});
