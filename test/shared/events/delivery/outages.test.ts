/**
 * Tests that an endpoint that is down, or a broken release, fails no events: they are pending, and delivered in order
 * afterwards.
 */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { findBreaker } from '#shared/storage/dynamodb/delivery/breakers.ts';
import {
  eventsOf,
  newAnsweringBot,
  pass,
  SECOND_MS,
  talk,
  textsOf,
  withoutRepetitions,
} from '#test/support/deliveries.ts';
import type { TestEndpoint } from '#test/support/endpoint.ts';
import { eventually, newBot, settled, useSharedPlatform } from '#test/support/platform.ts';
import { inFastTime } from '#test/support/time.ts';

useSharedPlatform();

const endpoints: TestEndpoint[] = [];
afterEach(() => {
  for (const each of endpoints.splice(0)) each.stop();
});

async function newScene(...given: Parameters<typeof newAnsweringBot>) {
  const made = await newAnsweringBot(...given);
  endpoints.push(made.endpoint);
  return made;
}

describe('an endpoint that is down for ten minutes', () => {
  it.each([503, 429])(
    'receives everything in order, without a failure, after it returned %i',
    { timeout: 60_000 },
    async status => {
      let isDown = true;
      const { bot, endpoint } = await newScene(() => (isDown ? status : 200));
      const talks = await Promise.all([talk(bot), talk(bot)]);
      for (const { say } of talks) for (const text of ['1', '2']) await say(text);
      await settled();
      await pass(300 * SECOND_MS, 30 * SECOND_MS);
      for (const { say } of talks) await say('3');
      await pass(300 * SECOND_MS, 30 * SECOND_MS);

      isDown = false;
      await pass(900 * SECOND_MS, 30 * SECOND_MS);

      for (const { conversationId } of talks) {
        expect(withoutRepetitions(textsOf(endpoint, conversationId))).toEqual(['1', '2', '3']);
      }
      expect(await eventsOf(bot, 'failed')).toEqual([]);
      expect(await eventsOf(bot, 'processed')).toHaveLength(6);
    },
  );

  it('fails only its first event if it cannot handle that event after the recovery', { timeout: 60_000 }, async () => {
    let isDown = true;
    const { bot, endpoint } = await newScene(text => (isDown ? 503 : text === 'bad' ? 500 : 200));
    const { say } = await talk(bot);
    for (const text of ['bad', '1', '2']) await say(text);
    await settled();
    await pass(120 * SECOND_MS, 30 * SECOND_MS);
    expect((await findBreaker(bot.id, endpoint.url))?.openings).toBeGreaterThan(0);

    isDown = false;
    await pass(600 * SECOND_MS, 30 * SECOND_MS);

    expect(withoutRepetitions(textsOf(endpoint))).toEqual(['bad', '1', '2']);
    expect(await eventsOf(bot, 'failed')).toHaveLength(1);
  });
});

describe('a broken release', () => {
  const CONVERSATIONS = 8;
  let isBroken: boolean;
  beforeEach(() => {
    isBroken = true;
  });

  it('opens the breaker, fails no further events, and receives pending ones in order after the fix', {
    timeout: 60_000,
  }, async () => {
    const { bot, endpoint } = await newScene(() => (isBroken ? 500 : 200));
    const talks = await Promise.all(Array.from({ length: CONVERSATIONS }, () => talk(bot)));
    for (const text of ['1', '2']) await Promise.all(talks.map(({ say }) => say(text)));
    await settled();
    await eventually(async () => expect(await findBreaker(bot.id, endpoint.url)).toMatchObject({ isBroken: true }));
    const failedBefore = await eventsOf(bot, 'failed');

    await pass(600 * SECOND_MS, 30 * SECOND_MS);
    const callsWhileOpen = textsOf(endpoint).length;

    expect(await eventsOf(bot, 'failed')).toEqual(failedBefore);
    expect((await eventsOf(bot, 'pending')).length).toBe(2 * CONVERSATIONS - failedBefore.length);
    expect(await findBreaker(bot.id, endpoint.url)).toMatchObject({ isBroken: true });
    // Counts one probe after each pause. The pauses double.
    expect(callsWhileOpen).toBeLessThan(4 * CONVERSATIONS);
    isBroken = false;
    await pass(900 * SECOND_MS, 30 * SECOND_MS);
    for (const { conversationId } of talks) {
      expect(withoutRepetitions(textsOf(endpoint, conversationId))).toEqual(['1', '2']);
    }
    expect(await eventsOf(bot, 'pending')).toEqual([]);
    expect(await eventsOf(bot, 'failed')).toEqual(failedBefore);
    expect(await findBreaker(bot.id, endpoint.url)).toBeUndefined();
  });

  describe('of deployed code', () => {
    const [BROKEN, STILL_BROKEN] = ['throw new Error("Broken");', 'throw new Error("Still broken");'];
    const WORKING = 'return { status: 200 };';

    /** Creates six conversations with a pending message each, because the code throws for every event. */
    async function newBrokenBot() {
      const bot = await newBot();
      const deploy = async (onEvent: string) => {
        const code = `exports.handler = async ({ headers }) => {
          if (headers['x-bp-operation'] !== 'event_received') return { status: 200 };
          ${onEvent}
        };`;
        await bot.workspace.owner.client.updateBot({ id: bot.id, code });
        await settled();
      };
      await deploy(BROKEN);
      const talks = await Promise.all(Array.from({ length: 6 }, () => talk(bot)));
      for (const { say } of talks) await say('1');
      await settled();
      expect(await eventsOf(bot, 'pending')).toHaveLength(6);
      return { bot, deploy };
    }

    it('is replaced by a deployment that immediately receives pending events', { timeout: 60_000 }, async () => {
      const { bot, deploy } = await newBrokenBot();

      await deploy(WORKING);

      await inFastTime(() => eventually(async () => expect(await eventsOf(bot, 'processed')).toHaveLength(6), 20_000));
    });

    it('fails nothing when its replacement is also broken', { timeout: 60_000 }, async () => {
      const { bot, deploy } = await newBrokenBot();

      await deploy(STILL_BROKEN);
      await pass(600 * SECOND_MS, 30 * SECOND_MS);

      expect(await eventsOf(bot, 'failed')).toEqual([]);
      await deploy(WORKING);
      await pass(900 * SECOND_MS, 30 * SECOND_MS);
      expect(await eventsOf(bot, 'processed')).toHaveLength(6);
    });
  });
});
