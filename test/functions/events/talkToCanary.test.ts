/** Tests the canary, which chats with a bot every few minutes after an operator's setup. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { talkToCanary } from '#functions/events/index.ts';
import { lambdaContext } from '#infra/local/runtime/lambdaContext.ts';
import { clock } from '#shared/core/clock.ts';
import { bootstrap } from '#shared/domain/admin/workspaces/bootstrap.ts';
import { findPublicWebhook } from '#shared/storage/dynamodb/chat/webhooks.ts';
import { findCanary, putCanary } from '#shared/storage/dynamodb/maintenance/canary.ts';
import { handlerOf } from '#test/support/inRoles.ts';
import { apiBaseUrl, call, eventually, install, useSharedPlatform } from '#test/support/platform.ts';
import { type Entry, recordLog } from '#test/support/recordLog.ts';

useSharedPlatform();

const run = promisify(execFile);
const setUp = () =>
  run(process.execPath, [join(import.meta.dirname, '../../../infra/operator/canary.ts')], { env: process.env });

afterEach(() => vi.restoreAllMocks());

/** @returns the lines that the consumer logs */
async function talk(): Promise<Entry[]> {
  const log = recordLog();
  await handlerOf(talkToCanary)({}, lambdaContext('talkToCanary', 60_000));
  log.stop();
  return log.entries.filter(({ operation }) => operation === 'talkToCanary');
}

describe('the canary', () => {
  it('prints the setup command if the canary is not set up', async () => {
    expect(await talk()).toMatchObject([
      { message: 'The canary is not set up. Run npm run canary.', canaryFailures: 1 },
      {},
    ]);
  });

  it("is set up by one command, and then receives its bot's reply", async () => {
    expect((await setUp()).stdout).toMatch(/^The canary's bot replied after \d+ ms\.\n$/);

    expect(await talk()).toMatchObject([{ message: 'Ran on schedule.', canaryMs: expect.any(Number) }]);
  });

  it('deletes its users after each run', async () => {
    const { botId } = (await findPublicWebhook((await findCanary())!.webhookId))!;
    const { workspaceId, token } = await bootstrap('canary@example.com', 'Canary', { isTokenWanted: true });
    const listed = async (what: string) =>
      (await call(`${apiBaseUrl()}/v1/chat/${what}`, { token, workspaceId, botId })).body[what];
    await talk();

    await eventually(async () => {
      expect((await listed('users')).filter(({ id }: { id: string }) => id !== botId)).toEqual([]);
      expect(await listed('conversations')).toEqual([]);
    });
  });

  it('does not change when set up again', async () => {
    const before = await findCanary();
    await setUp();

    expect(await findCanary()).toEqual(before);
  });

  it("reports the failed step and the API's response", async () => {
    const before = (await findCanary())!;
    await putCanary({ webhookId: '00000000-0000-4000-8000-000000000000' });
    const lines = await talk();
    await putCanary(before);

    expect(lines[0]).toMatchObject({ canaryFailures: 1, step: expect.stringMatching(/^createUser: 404 .*err_/) });
  });

  it('fails when the bot does not reply', async () => {
    const before = (await findCanary())!;
    const { webhookId } = await install({ isSignUpOpen: true });
    await putCanary({ webhookId });
    // The clock runs fifteen times as fast.
    const hurry = setInterval(() => clock.advance(3_000), 200);
    const lines = await talk();
    clearInterval(hurry);
    await putCanary(before);

    expect(lines[0]).toMatchObject({ canaryFailures: 1, step: 'answer: the bot did not reply within 30 s.' });
  });
});
