/** Tests that calls of deployed code end with the caller's timeout, and do not exceed the bot's concurrency. */
import { randomUUID } from 'node:crypto';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { clock } from '#shared/core/clock.ts';
import { VARIABLES } from '#shared/core/environment.ts';
import { callCode } from '#shared/outbound/code/callCode.ts';
import { findBot } from '#shared/storage/dynamodb/bots/bots.ts';
import { findIntegration } from '#shared/storage/dynamodb/integrations/integrations.ts';
import { eventually, newBot, type TestBot, useSharedPlatform } from '#test/support/platform.ts';
import { inFastTime } from '#test/support/time.ts';

useSharedPlatform();
afterEach(() => vi.unstubAllEnvs());

/** Takes half a minute, except for `ping` and registration, or on request. */
const SLOW = `exports.handler = async ({ headers, body }) => {
  if (['ping', 'register'].includes(headers['x-bp-operation']) || body === 'quick') return { body: 'quick' };
  console.log('begun');
  await new Promise(resolve => setTimeout(resolve, 30_000));
  return { body: JSON.stringify({ output: {} }) };
};`;

async function deployed(code = SLOW) {
  const bot = await newBot();
  await bot.workspace.owner.client.updateBot({ id: bot.id, code });
  const running = await eventually(async () => {
    const found = (await findBot(bot.id))!.running;
    expect(found).toBeDefined();
    return found!;
  });
  return { bot, running, call: callOf(bot, running) };
}
type Running = Parameters<typeof callCode>[1];
const callOf = (bot: TestBot, running: Running) => (request: { body: string; timeoutMs?: number }) =>
  callCode({ kind: 'bot', id: bot.id }, running, { headers: {}, ...request });

describe("a caller who waits for less than the code's timeout", () => {
  it('receives a timeout, and the log mentions the missing output', async () => {
    const { bot, call } = await deployed();

    const outcome = await inFastTime(() => call({ body: 'slow', timeoutMs: 1_500 }));

    expect(outcome).toEqual({ kind: 'timedOut' });
    const { logs } = await bot.workspace.owner.client.getBotLogs({
      id: bot.id,
      timeStart: new Date(clock.now() - 60_000).toISOString(),
    });
    expect(logs.at(-1)).toMatchObject({
      level: 'warn',
      message: expect.stringContaining('The caller of the code waited 2 seconds'),
    });
    expect(await call({ body: 'quick' })).toMatchObject({ text: 'quick' });
  });

  it("receives 504 for an action after 10 seconds, before the gateway's own timeout", { timeout: 60_000 }, async () => {
    const { bot } = await deployed();

    const answer = await inFastTime(() => bot.call('POST', '/actions', { body: { type: 'wait', input: {} } }));

    expect(answer).toMatchObject({
      status: 504,
      body: { type: 'OperationTimeout', message: 'The action wait timed out after 10 seconds.' },
    });
  });

  it('receives 503 with Retry-After for a webhook', { timeout: 60_000 }, async () => {
    vi.stubEnv(VARIABLES.deliveryTimeoutMs, '2000');
    const { owner, ...workspace } = (await newBot()).workspace;
    const { integration } = await owner.client.createIntegration({
      name: `slow${randomUUID().slice(0, 8)}`,
      version: '1.0.0',
      code: SLOW,
    });
    await eventually(async () => expect((await findIntegration(integration.id))!.running).toBeDefined());
    const bot = await newBot({ owner, ...workspace });
    const { bot: installed } = await owner.client.updateBot({
      id: bot.id,
      integrations: { slow: { integrationId: integration.id, enabled: true } },
    });

    const { webhookUrl } = installed.integrations.slow!;
    const answer = await inFastTime(() => fetch(webhookUrl, { method: 'POST', body: '{}' }));

    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '30']);
    expect(await answer.json()).toMatchObject({
      message: 'The integration did not respond within 2 seconds. Retry after 30 s.',
    });
  });
});

describe('the concurrency of code', () => {
  it('is limited per bot, without affecting another bot', async () => {
    vi.stubEnv(VARIABLES.codeConcurrency, '2');
    const [bounded, other] = [await deployed(), await deployed()];
    const slow = [1, 2].map(() => bounded.call({ body: 'slow', timeoutMs: 25_000 }));

    await eventually(async () => {
      expect(await bounded.call({ body: 'quick' })).toEqual({
        kind: 'failed',
        reason: 'its code has reached its concurrency limit',
      });
    });
    expect(await other.call({ body: 'quick' })).toMatchObject({ text: 'quick' });
    expect(await inFastTime(() => Promise.all(slow))).toEqual([{ kind: 'timedOut' }, { kind: 'timedOut' }]);
  });
});
