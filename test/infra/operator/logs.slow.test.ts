/** Tests the results of `npm run logs` and the equivalent CloudWatch query. */

import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, describe, expect, it } from 'vitest';
import { insightsQuery, parseSpan, type Search } from '#infra/operator/logQuery.ts';
import { clock } from '#shared/core/clock.ts';

const run = promisify(execFile);
const SCRIPT = join(import.meta.dirname, '../../../infra/operator/logs.ts');
const directory = mkdtempSync(join(tmpdir(), 'parley-logs-'));
afterAll(() => rmSync(directory, { recursive: true }));

const timestamp = new Date(clock.now()).toISOString();
const LINES = [
  { level: 'INFO', message: 'Answered.', timestamp, operation: 'createMessage', botId: 'bot_a', latencyMs: 12 },
  { level: 'INFO', message: 'Answered.', timestamp, operation: 'createMessage', botId: 'bot_b', latencyMs: 900 },
  { level: 'INFO', message: 'Answered.', timestamp, operation: 'createMessage', botId: 'bot_b', latencyMs: 3 },
  {
    level: 'INFO',
    message: 'The call was rejected.',
    timestamp,
    operation: 'getUser',
    errorId: 'err_1x2',
    reason: 'No such user',
  },
  { level: 'ERROR', message: 'The operation failed.', timestamp, operation: 'getBot', errorId: 'err_3x4' },
  { level: 'INFO', message: 'Answered.', timestamp: '2020-01-01T00:00:00Z', operation: 'getBot', latencyMs: 5_000 },
];
writeFileSync(
  join(directory, 'parley.log'),
  [...LINES.map(line => JSON.stringify(line)), 'plain text of Node'].join('\n'),
);

async function logs(...args: string[]): Promise<string[]> {
  const env = { ...process.env, PARLEY_DIR: directory };
  const { stdout } = await run(process.execPath, [SCRIPT, '--local', ...args], { env });
  return stdout.trim().split('\n');
}
const operations = async (...args: string[]) => (await logs(...args)).map(line => JSON.parse(line).operation);

describe('npm run logs', () => {
  it('finds an error by the id that a user quotes', async () => {
    expect(await operations('--error', 'err_1x2')).toEqual(['getUser']);
    expect(await logs('--error', 'err_none')).toEqual(['No lines match.']);
  });

  it('finds platform failures, an operation and parts of a line', async () => {
    expect(await operations('--errors')).toEqual(['getBot']);
    expect(await operations('--operation', 'getBot')).toEqual(['getBot']);
    expect(await operations('--text', 'No such user')).toEqual(['getUser']);
  });

  it('shows the slowest calls first, and the most frequent callers', async () => {
    expect((await logs('--slow', '--limit', '2')).map(line => JSON.parse(line).latencyMs)).toEqual([900, 12]);
    expect((await logs('--top'))[0]).toBe('2\tbot_b\tcreateMessage\tAnswered.');
  });

  it('searches the requested time range', async () => {
    expect(await operations('--operation', 'getBot', '--since', '1h')).toEqual(['getBot']);
    expect(parseSpan('90m')).toBe(5_400_000);
    expect(parseSpan('yesterday')).toBeUndefined();
  });

  it('prints its usage', async () => {
    await expect(logs()).rejects.toThrow('npm run logs -- --error err_');
    await expect(logs('--errors', '--since', 'yesterday')).rejects.toThrow('--since 30m|6h|2d');
  });
});

describe('the query for CloudWatch', () => {
  const none: Search = { errors: false, gateway: false, slow: false, top: false };

  it("finds an error by its own id, and the gateway's rejections by the request id", () => {
    expect(insightsQuery({ ...none, error: 'err_1x2' }, 50)).toBe(
      'filter errorId = "err_1x2" or requestId = "1x2" | fields @timestamp, @message | sort @timestamp desc | limit 50',
    );
  });

  it.each([
    ['a timeout, as text', '2026-11-26T12:00:00Z 8f50 Task timed out after 29.00 seconds'],
    ['a timeout, as JSON', '{"type":"platform.report","record":{"requestId":"8f50","status":"timeout"}}'],
    ['a crash, as JSON', '{"type":"platform.report","record":{"status":"error","errorType":"Runtime.OutOfMemory"}}'],
  ])("finds Lambda's own log line about %s", (_, line) => {
    const [, pattern] = /@message like \/(.+?)\/ /.exec(insightsQuery({ ...none, errors: true }, 1))!;

    expect(line).toMatch(new RegExp(pattern!));
    expect('{"type":"platform.report","record":{"status":"success"}}').not.toMatch(new RegExp(pattern!));
  });

  it("escapes the operator's input", () => {
    expect(insightsQuery({ ...none, text: 'a "b" | stats count(*)' }, 1)).toContain(
      'filter @message like "a \\"b\\" | stats count(*)" |',
    );
  });

  it('groups and sorts as requested', () => {
    expect(insightsQuery({ ...none, top: true, operation: 'deliver' }, 10)).toBe(
      'filter operation = "deliver" | filter ispresent(operation) | stats count(*) as lines by botId, operation, message | sort lines desc | limit 10',
    );
    expect(insightsQuery({ ...none, slow: true }, 10)).toContain('| sort latencyMs desc |');
  });
});
