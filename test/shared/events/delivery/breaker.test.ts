/** Tests that an unavailable endpoint is not called, and receives everything after it recovers. */

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { clock } from '#shared/core/clock.ts';
import { VARIABLES } from '#shared/core/environment.ts';
import { openMsAfter } from '#shared/events/delivery/breaker.ts';
import { findBreaker } from '#shared/storage/dynamodb/delivery/breakers.ts';
import { startEndpoint } from '#test/support/endpoint.ts';
import { eventually, newBot, settled, usePlatform } from '#test/support/platform.ts';
import { inFastTime } from '#test/support/time.ts';

usePlatform();

const CONVERSATIONS = 40;
/** Concurrent deliveries of one bot. */
const AT_ONCE = 20;

beforeEach(() => {
  process.env[VARIABLES.deliveryTimeoutMs] = '1000';
  process.env[VARIABLES.firstPauseMs] = '1000';
});
afterEach(() => {
  delete process.env[VARIABLES.deliveryTimeoutMs];
  delete process.env[VARIABLES.firstPauseMs];
});

const untilFailures = (botId: string, url: string) =>
  eventually(async () => expect((await findBreaker(botId, url))?.failures).toBeGreaterThanOrEqual(5));

it('opens for increasing periods', () => {
  expect([0, 1, 2, 20].map(openMsAfter)).toEqual([5_000, 10_000, 20_000, 300_000]);
});

describe('an endpoint that hangs', () => {
  it('is not called after some failures, and receives everything after its recovery', {
    timeout: 120_000,
  }, async () => {
    const bot = await newBot();
    let isDown = true;
    let calls = 0;
    const endpoint = await startEndpoint(({ operation }, response) => {
      if (operation === 'event_received') calls++;
      if (operation !== 'event_received' || !isDown) response.end('{}');
    });
    await bot.workspace.owner.client.updateBot({ id: bot.id, url: endpoint.url });

    for (let i = 0; i < CONVERSATIONS; i++) await bot.client.createEvent({ type: 'numbered', payload: { i } });
    await inFastTime(() => untilFailures(bot.id, endpoint.url));
    // Counts the calls in progress when it opened, and one probe.
    for (let second = 0; second < 3; second++) {
      clock.advance(1_000);
      await settled();
    }
    expect(calls).toBeLessThanOrEqual(2 * AT_ONCE);

    isDown = false;
    await inFastTime(() =>
      eventually(async () => {
        const processed = await bot.client.listEvents({ status: 'processed', pageSize: 100 });
        expect(processed.events).toHaveLength(CONVERSATIONS);
      }, 90_000),
    );
    expect(await findBreaker(bot.id, endpoint.url)).toBeUndefined();
    endpoint.stop();
  });

  it("is reset when the bot's endpoint changes", async () => {
    const bot = await newBot();
    const [bad, good] = [await startEndpoint(() => {}), await startEndpoint()];
    const { client } = bot.workspace.owner;
    await client.updateBot({ id: bot.id, url: bad.url });
    for (let i = 0; i < 10; i++) await bot.client.createEvent({ type: 'numbered', payload: { i } });
    await inFastTime(() => untilFailures(bot.id, bad.url));

    await client.updateBot({ id: bot.id, url: good.url });
    await bot.client.createEvent({ type: 'fresh', payload: {} });

    await eventually(async () => expect(good.events().map(({ type }) => type)).toContain('fresh'));
    bad.stop();
    good.stop();
  });
});
