/** Tests `npm run load` as a process against the platform of this one. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { usePlatform } from '#test/support/platform.ts';

usePlatform();

const SCRIPT = join(import.meta.dirname, '../../../infra/operator/load.ts');
const run = promisify(execFile);
const load = async (...args: string[]) => (await run(process.execPath, [SCRIPT, ...args], { env: process.env })).stdout;

describe('npm run load', () => {
  it('simulates users, listeners, files and tables, and finds nothing lost, duplicated or out of order', async () => {
    const output = await load(
      ...['--seconds', '6', '--bots', '1', '--users', '2', '--listeners', '3', '--uploaders', '1', '--tables', '1'],
    );

    for (const operation of ['createMessage', 'listenConversation', 'upsertFile', 'createTableRows'])
      expect(output).toMatch(new RegExp(`^\\| ${operation} \\| \\d+ \\| 0 \\|`, 'm'));
    for (const kind of ['messages', 'answers', 'files', 'rows'])
      expect(output).toMatch(new RegExp(`^\\| ${kind} \\| [1-9]\\d* \\| 0 \\| 0 \\| 0 \\|$`, 'm'));
    // A user and the bot may write concurrently.
    expect(output).toMatch(/^\| signals \| [1-9]\d* \| 0 \| 0 \| \d+ \|$/m);
    expect(output).toMatch(/^\d+ s: \d+ calls/m);
  });

  it('reports an invalid scenario', async () => {
    await expect(load('--users', 'many')).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringContaining('users must be an integer from 1 to 10000'),
    });
  });
});
