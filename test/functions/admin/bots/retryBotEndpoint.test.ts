import { afterEach, describe, expect, it } from 'vitest';
import { clock } from '#shared/core/clock.ts';
import { type DeadEndpoint, newDeadEndpoint } from '#test/support/deadEndpoint.ts';
import { eventsOf, pass, SECOND_MS, talk } from '#test/support/deliveries.ts';
import { isLeftOut, newBot, newWorkspace, settled, type TestBot, useSharedPlatform } from '#test/support/platform.ts';

useSharedPlatform();

let dead: DeadEndpoint | undefined;
afterEach(() => dead?.stop());

const retry = (bot: TestBot, body: unknown = {}, token?: string) =>
  bot.workspace.call('POST', `/bots/${bot.id}/endpoints/retry`, { body, ...(token ? { token } : {}) });

/** Creates a bot whose endpoint is down, with an open breaker and three paused conversations. */
async function newUnreachableBot() {
  dead = await newDeadEndpoint();
  const bot = await newBot();
  await bot.workspace.owner.client.updateBot({ id: bot.id, url: dead.url });
  for (const { say } of [await talk(bot), await talk(bot), await talk(bot)]) await say('hello');
  await settled();
  await pass(120 * SECOND_MS, 10 * SECOND_MS);
  return { bot, endpoint: dead };
}

// A deployed function cannot reach this process.
describe.skipIf(isLeftOut('faults'))('POST /v1/admin/bots/{id}/endpoints/retry', () => {
  it('delivers everything that is pending when the endpoint works again, without waiting for the breaker', async () => {
    const { bot, endpoint } = await newUnreachableBot();
    await endpoint.start();
    expect(await eventsOf(bot, 'pending')).toHaveLength(3);

    const { status, body } = await retry(bot);
    await settled();

    expect(status).toBe(200);
    expect(body.endpoint).toMatchObject({ status: 'unreachable', pausedConversations: 3 });
    expect(await eventsOf(bot, 'processed')).toHaveLength(3);
    const { body: after } = await bot.workspace.call('GET', `/bots/${bot.id}/endpoints`);
    expect(after.endpoints).toMatchObject([{ status: 'healthy', pausedConversations: 0 }]);
  });

  it('keeps the deliveries pending while the endpoint is down', async () => {
    const { bot } = await newUnreachableBot();

    await retry(bot);
    await settled();

    expect(await eventsOf(bot, 'pending')).toHaveLength(3);
  });

  it('returns 429 for a second retry within five seconds', async () => {
    const { bot } = await newUnreachableBot();

    const [first, second] = [await retry(bot), await retry(bot)];
    clock.advance(5 * SECOND_MS);
    const third = await retry(bot);

    expect([first, second, third].map(({ status }) => status)).toEqual([200, 429, 200]);
    expect(second.body.type).toBe('RateLimited');
  });

  it('returns 403 to viewers and agents, and 404 for a bot of another workspace or an unknown alias', async () => {
    const bot = await newBot();
    const [viewer, agent] = [await bot.workspace.join('viewer'), await bot.workspace.join('agent')];
    const other = await newWorkspace();

    const answers = [
      await retry(bot, {}, viewer.token),
      await retry(bot, {}, agent.token),
      await other.call('POST', `/bots/${bot.id}/endpoints/retry`, { body: {} }),
      await retry(bot, { integrationAlias: 'no-such' }),
    ];

    expect(answers.map(({ status }) => status)).toEqual([403, 403, 404, 404]);
  });
});
