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
