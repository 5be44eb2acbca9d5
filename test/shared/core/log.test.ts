import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { errorFields, log } from '#shared/core/log.ts';
import { recordLog } from '#test/support/recordLog.ts';

const ROOT = join(import.meta.dirname, '../../..');

/** CloudWatch's former limit on an event, which agents and subscriptions still have. */
const MAX_EVENT_BYTES = 256 * 1024;

/** Logs an error. @returns its line as CloudWatch receives it */
function logged(
  error: unknown,
  fields: Record<string, unknown> = {},
): { line: string; entry: Record<string, unknown> } {
  const { lines, stop } = recordLog();
  log.error('It failed.', { ...fields, error: errorFields(error) });
  stop();
  return { line: lines[0]!, entry: JSON.parse(lines[0]!) };
}

const withCauses = (count: number, message: string): Error =>
  new Error(message, count === 0 ? {} : { cause: withCauses(count - 1, message) });

describe('a line of the log', () => {
  it('is JSON with a level, a message and a time in the format that Lambda reads', () => {
    const { entry } = logged(new TypeError('No such thing.'), { operation: 'getUser' });

    expect(entry).toMatchObject({
      level: 'ERROR',
      message: 'It failed.',
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      operation: 'getUser',
      error: { name: 'TypeError', message: 'No such thing.', stack: expect.stringContaining('log.test.ts') },
    });
  });

  it('keeps its level and message if a field has the same name', () => {
    const { entry } = logged('x', { level: 'DEBUG', message: 'other' });

    expect(entry).toMatchObject({ level: 'ERROR', message: 'It failed.' });
  });

  it('stays one line when texts have line breaks', () => {
    const { line } = logged(new Error('a\nb\r\nc\u2028d'));

    expect(line).not.toMatch(/[\n\r]/);
  });

  it.each(['pat', 'ses', 'lnk', 'bak', 'iak', 'inv'])('masks a token bp_%s_, even where a text is truncated', kind => {
    const token = `bp_${kind}_${'x'.repeat(4_000)}`;

    const { line } = logged(new Error(`${'a'.repeat(2_980)} ${token}`), { body: token });

    expect(line).toContain(`bp_${kind}_…`);
    expect(line).not.toContain('xx');
  });

  it('has the id of the invocation inside one, and none outside', async () => {
    const { lines } = recordLog();
    const store = { hasContext: () => true, getRequestId: () => 'id-of-lambda' };
    Object.assign(globalThis, { awslambda: { InvokeStore: store } });

    log.info('Within.');
    Object.assign(store, { hasContext: () => false });
    log.info('Outside.');
    Reflect.deleteProperty(globalThis, 'awslambda');

    expect(JSON.parse(lines[0]!).lambdaRequestId).toBe('id-of-lambda');
    expect(lines[1]).not.toContain('lambdaRequestId');
  });
});

describe('a large error', () => {
  it('is truncated to a CloudWatch event, regardless of its texts, causes and job', () => {
    const { line } = logged(withCauses(50, '\u0001'.repeat(300_000)), { body: '\u0001'.repeat(300_000) });

    expect(Buffer.byteLength(line)).toBeLessThan(MAX_EVENT_BYTES);
  });

  it('keeps the start of its message and the frames of its stack', () => {
    const { error } = logged(new Error(`start ${'x'.repeat(300_000)}`)).entry as { error: Record<string, string> };

    expect(error.message).toMatch(/^start x+ \[296006 characters\] x+$/);
    expect(error.stack).toMatch(/^Error: start/);
    expect(error.stack).toContain('log.test.ts');
  });

  it('is logged if it is its own cause', () => {
    const error = new Error('circular');
    error.cause = error;

    expect(logged(error).entry).toMatchObject({ error: { message: 'circular', cause: { message: 'circular' } } });
  });
});

it('writes to stdout, even if the runtime has replaced the console', () => {
  const program = `
    for (const method of ['log', 'info', 'warn', 'error']) console[method] = () => process.stdout.write('wrapped');
    const { log } = await import('#shared/core/log.ts');
    for (const level of ['info', 'warn', 'error']) log[level](level);`;

  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', program], {
    cwd: ROOT,
    encoding: 'utf8',
  });

  const messages = stdout
    .trimEnd()
    .split('\n')
    .map(line => JSON.parse(line).message);
  expect(messages).toEqual(['info', 'warn', 'error']);
  expect(stderr).toBe('');
});
