/** Tests `npm run cost` as a process. */

import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, describe, expect, it } from 'vitest';
import { parseLoad } from '#infra/operator/cost/costLoad.ts';
import { estimate, totalOf } from '#infra/operator/cost/estimate.ts';
import { pricesOf } from '#infra/operator/cost/prices.ts';
import { dollars } from '#infra/operator/cost/report.ts';
import { clock } from '#shared/core/clock.ts';
import { upload } from '#test/support/files.ts';
import { newBot, newUser, settled, usePlatform } from '#test/support/platform.ts';
import { newTableName } from '#test/support/requests/tables.ts';

usePlatform();

const directory = mkdtempSync(join(tmpdir(), 'parley-cost-'));
afterAll(() => rmSync(directory, { recursive: true }));

const SCRIPT = join(import.meta.dirname, '../../../infra/operator/cost.ts');
const run = promisify(execFile);
const cost = async (...args: string[]) => (await run(process.execPath, [SCRIPT, ...args], { env: process.env })).stdout;
const monthly = (output: string) => output.match(/^A month +(\$[\d,.]+)$/m)?.[1];

describe('npm run cost', () => {
  it('prints the price of each service and the total', async () => {
    const output = await cost('--messages', '1000000', '--listeners', '500', '--files', '10000');

    const load = parseLoad({ messages: '1000000', listeners: '500', files: '10000' });
    expect(monthly(output)).toBe(dollars(totalOf(estimate(load, pricesOf('us-east-1')))));
    expect(output).toMatch(/^DynamoDB +[\d.]+ million write units +\$[\d.]+$/m);
    expect(output).toContain('List prices of us-east-1');
  });

  it('uses the prices of a region and of a file', async () => {
    const file = join(directory, 'prices.json');
    writeFileSync(file, JSON.stringify({ dashboard: 1_003 }));

    const [plain, own, region] = await Promise.all([
      cost(),
      cost('--prices', file),
      cost('--region', 'eu-central-1', '--messages', '1000'),
    ]);

    const amount = (output: string) => Number(monthly(output)!.replace(/[$,]/g, ''));
    expect(amount(own)).toBeCloseTo(amount(plain) + 1_000, 2);
    expect(region).toContain('List prices of eu-central-1');
  });

  it('uses the recorded usage of a workspace', async () => {
    const bot = await newBot();
    const { client } = await newUser(bot);
    const { conversation } = await client.createConversation({});
    for (let i = 0; i < 3; i++)
      await client.createMessage({ conversationId: conversation.id, payload: { type: 'text', text: 'Hello' } });
    await upload(bot.client, { key: 'a.bin', content: Buffer.alloc(300_000) });
    const { table } = await bot.client.createTable({ name: newTableName(), schema: { name: 'Ada' } });
    await bot.client.createTableRows({ table: table.id, rows: [{ name: 'a' }, { name: 'b' }] });
    await settled();

    const output = await cost('--workspace', bot.workspace.id, '--bot-ms', '200');

    expect(output).toContain(
      `${bot.workspace.id} in ${new Date(clock.now()).toISOString().slice(0, 7)}: 3 messages, 1 bots.`,
    );
    const load = { messages: 3, conversations: 1, rows: 2, files: 3, indexed: 0, fileKb: 100, reads: 3, botMs: 200 };
    expect(monthly(output)).toBe(dollars(totalOf(estimate({ ...parseLoad({}), ...load }, pricesOf('us-east-1')))));
  });

  it.each([
    ['a negative number', ['--messages=-1'], '--messages must be a number from 0'],
    ['a file that is not there', ['--prices', '/nowhere.json'], 'Cannot read /nowhere.json.'],
    ['an unknown workspace', ['--workspace', 'wkspace_none'], 'Workspace wkspace_none was not found.'],
  ])('reports the error when given %s', async (_, args, message) => {
    await expect(cost(...args)).rejects.toMatchObject({ code: 1, stderr: expect.stringContaining(message) });
  });
});
