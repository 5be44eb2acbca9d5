/** Tests that pending deliveries wait in the table: ordered, bounded, and without delaying others. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { deliver } from '#functions/events/deliver.ts';
import { clock } from '#shared/core/clock.ts';
import { VARIABLES } from '#shared/core/environment.ts';
import { CONCURRENT_RESUMES, MAX_WAIT_MS } from '#shared/events/delivery/deliveryLimits.ts';
import { orderOfEvent } from '#shared/storage/dynamodb/chat/events.ts';
import * as breakers from '#shared/storage/dynamodb/delivery/breakers.ts';
import { endSlowCall, findEndpointState, startSlowCall } from '#shared/storage/dynamodb/delivery/endpointState.ts';
import {
  findPaused,
  hasPausedConversations,
  listReady,
  pauseConversation,
  scheduleWakeup,
} from '#shared/storage/dynamodb/delivery/pausedConversations.ts';
import { partitionQuery, queryPage } from '#shared/storage/dynamodb/engine/query.ts';
import { endpointPk } from '#shared/storage/dynamodb/keys/deliveries.ts';
import { startEndpoint, type TestEndpoint } from '#test/support/endpoint.ts';
import { eventually, newBot, newUser, settled, type TestBot, useSharedPlatform } from '#test/support/platform.ts';
import { isComplete } from '#test/support/tier.ts';

useSharedPlatform();

const HOUR_MS = 3600_000;
/** Number of events for an endpoint that does not respond. */
const BACKLOG = isComplete ? 500 : 200;

const endpoints: TestEndpoint[] = [];
async function endpointOf(bot: TestBot, ...given: Parameters<typeof startEndpoint>) {
  const endpoint = await startEndpoint(...given);
  endpoints.push(endpoint);
  await bot.workspace.owner.client.updateBot({ id: bot.id, url: endpoint.url });
  await settled();
  return endpoint;
}

/** Returns the deliveries that the queue sends to the consumer. */
const jobs = () => {
  const handle = vi.spyOn(deliver, 'handle');
  return () => handle.mock.calls.flatMap(([{ Records }]) => Records.map(({ body }) => JSON.parse(body)));
};

beforeEach(() => {
  process.env[VARIABLES.firstPauseMs] = '1';
});
afterEach(() => {
  for (const each of endpoints.splice(0)) each.stop();
  vi.restoreAllMocks();
  for (const name of [VARIABLES.firstPauseMs, VARIABLES.slowCallsPerBot]) delete process.env[name];
});

const stateOf = (botId: string, url?: string) =>
  findEndpointState(botId, url, { nowMs: clock.now(), isConsistent: true });

/** Opens the breaker as five failures do. */
async function openBreaker(botId: string, url: string, untilMs: number) {
  for (let i = 0; i < 5; i++) await breakers.countFailure(botId, url, { nowMs: clock.now(), reason: 'no response' });
  await breakers.open(botId, { openUntilMs: 0 }, untilMs);
}

const number = (bot: TestBot, numbers: number[], conversationId?: string) =>
  Promise.all(
    numbers.map(async i => (await bot.client.createEvent({ type: 'numbered', payload: { i }, conversationId })).event),
  );

const numbersOf = ({ events }: TestEndpoint) => events().map(({ payload }) => payload.i as number);

const heldOf = (botId: string) => listReady(botId, clock.now() + HOUR_MS, 1_000);

describe('a paused conversation', () => {
  it('is delivered in order with new events, with one queue job per event', {
    timeout: 90_000,
  }, async () => {
    const bot = await newBot();
    const { client } = await newUser(bot);
    const { conversation } = await client.createConversation({});
    const say = (text: string) =>
      client.createMessage({ conversationId: conversation.id, payload: { type: 'text', text } });
    let isDown = true;
    let saidAmid: Promise<unknown> | undefined;
    const endpoint = await endpointOf(bot, async ({ operation, text }, response) => {
      if (operation === 'event_received' && isDown) return void response.writeHead(503).end();
      // Arrives while the conversation is being resumed.
      if (text.includes('"3"')) {
        saidAmid ??= say('5');
        await saidAmid;
      }
      response.end('{}');
    });
    const queued = jobs();
    const texts = () => endpoint.events().map(({ payload }) => payload.message.payload.text);

    for (const text of ['1', '2', '3', '4']) await say(text);
    await eventually(async () => expect(queued().filter(({ kind }) => kind === 'event')).toHaveLength(4));
    await eventually(async () => expect((await stateOf(bot.id, endpoint.url)).breaker?.openings).toBeGreaterThan(0));
    expect(new Set(texts())).toEqual(new Set(['1']));
    isDown = false;

    await eventually(async () => expect(texts().at(-1)).toBe('5'), 40_000);
    expect(texts().filter((text, i, all) => text !== all[i - 1])).toEqual(['1', '2', '3', '4', '5']);
    const firstAttempts = queued().filter(({ kind }) => kind === 'event');
    expect(new Set(firstAttempts.map(({ eventId }) => eventId)).size).toBe(firstAttempts.length);
    await eventually(async () => expect(await hasPausedConversations(bot.id)).toBe(false));
    expect((await bot.client.listEvents({ status: 'pending' })).events).toEqual([]);
  });

  it('delivers a replayed older event before the pending ones', async () => {
    const bot = await newBot();
    const { id: conversationId } = (await bot.client.createConversation({ channel: 'channel', tags: {} })).conversation;
    let status = 400;
    const endpoint = await endpointOf(bot, ({ operation }, response) => {
      response.writeHead(operation === 'event_received' ? status : 200).end('{}');
    });
    const [older] = await number(bot, [1], conversationId);
    await eventually(async () => expect((await bot.client.getEvent({ id: older!.id })).event.status).toBe('failed'));
    const before = endpoint.events().length;
    await openBreaker(bot.id, endpoint.url, clock.now() + HOUR_MS);
    status = 200;
    await number(bot, [2], conversationId);
    await eventually(async () => expect(await heldOf(bot.id)).toHaveLength(1));

    await bot.workspace.call('POST', `/bots/${bot.id}/events/replay`, { body: {} });
    const { conversationId: order, position } = orderOfEvent(older!.id);
    await eventually(async () => expect(await findPaused(bot.id, order)).toMatchObject({ firstPosition: position }));
    await breakers.close(bot.id);
    await scheduleWakeup(bot.id, clock.now());

    await eventually(async () => expect(numbersOf(endpoint).slice(before)).toEqual([1, 2]));
  });

  it('fails while the endpoint is down, after the duration of regular attempts', async () => {
    const bot = await newBot();
    const { id: conversationId } = (await bot.client.createConversation({ channel: 'channel', tags: {} })).conversation;
    const endpoint = await endpointOf(bot);
    await openBreaker(bot.id, endpoint.url, clock.now() + HOUR_MS);
    const first = (await number(bot, [1], conversationId))[0]!;
    const second = (await number(bot, [2], conversationId))[0]!;
    const held = await eventually(async () => {
      const found = await findPaused(bot.id, conversationId);
      expect(found).toMatchObject({ eventId: first.id, attempts: 0 });
      return found!;
    });

    await pauseConversation(bot.id, { ...held, sinceMs: clock.now() - MAX_WAIT_MS }, held);
    await scheduleWakeup(bot.id, clock.now());

    await eventually(async () =>
      expect((await bot.client.getEvent({ id: first.id })).event).toMatchObject({
        status: 'failed',
        failureReason: expect.stringMatching(/Gave up.*The endpoint is down/),
      }),
    );
    await eventually(async () =>
      expect(await findPaused(bot.id, conversationId)).toMatchObject({ eventId: second.id, attempts: 0 }),
    );
    expect(endpoint.events()).toEqual([]);
  });

  it('is retried immediately at a new url, and deleted with its bot', async () => {
    const bot = await newBot();
    const bad = await endpointOf(bot);
    await openBreaker(bot.id, bad.url, clock.now() + HOUR_MS);
    await number(bot, [1, 2, 3]);
    await eventually(async () => expect(await heldOf(bot.id)).toHaveLength(3));
    const [{ conversationId } = { conversationId: '' }] = await heldOf(bot.id);
    const held = (await findPaused(bot.id, conversationId))!;
    await pauseConversation(bot.id, { ...held, attempts: 10, nextMs: clock.now() + HOUR_MS / 4 }, held);

    const good = await endpointOf(bot);
    await eventually(async () => expect(numbersOf(good).sort()).toEqual([1, 2, 3]));
    await openBreaker(bot.id, good.url, clock.now() + HOUR_MS);
    await number(bot, [4]);
    await eventually(async () => expect(await heldOf(bot.id)).toHaveLength(1));
    await bot.workspace.owner.client.deleteBot({ id: bot.id });

    await eventually(async () => {
      expect(await hasPausedConversations(bot.id)).toBe(false);
      expect((await queryPage(partitionQuery(endpointPk(bot.id)))).items).toEqual([]);
    });
    expect(bad.events()).toEqual([]);
  });
});

describe('an endpoint that is back', () => {
  it('receives the oldest events first, in a limited number of conversations concurrently', async () => {
    const bot = await newBot();
    let running = 0;
    let most = 0;
    const endpoint = await endpointOf(bot, ({ operation }, response) => {
      if (operation !== 'event_received') return void response.end('{}');
      most = Math.max(most, ++running);
      setTimeout(() => {
        running--;
        response.end('{}');
      }, 100);
    });
    await openBreaker(bot.id, endpoint.url, clock.now() + HOUR_MS);
    const numbers = Array.from({ length: 40 }, (_, i) => i);
    const events = await number(bot, numbers);
    await eventually(async () => expect(await heldOf(bot.id)).toHaveLength(40));
    // Differs from every natural order.
    const startMs = clock.now() - 60_000;
    for (const [i, { id }] of events.entries()) {
      const held = (await findPaused(bot.id, orderOfEvent(id).conversationId))!;
      const sinceMs = startMs + ((i * 7) % 40) * 1000;
      await pauseConversation(bot.id, { ...held, sinceMs, nextMs: sinceMs }, held);
    }
    const timersOfBot = (await queryPage(partitionQuery(endpointPk(bot.id)))).items.filter(({ dueMs }) => dueMs);

    // Ends its pause.
    const { breaker } = await stateOf(bot.id, endpoint.url);
    await breakers.claimProbe(bot.id, breaker!, clock.now());
    await scheduleWakeup(bot.id, clock.now());

    await eventually(async () => expect(numbersOf(endpoint)).toHaveLength(40), 30_000);
    const places = numbersOf(endpoint).map(i => (i * 7) % 40);
    expect(places[0]).toBe(0);
    // More than half would deviate further in a random order. The machine may delay a few calls.
    const strayed = places.filter((place, i) => Math.abs(i - place) > CONCURRENT_RESUMES);
    expect(strayed.length).toBeLessThanOrEqual(4);
    expect(most).toBeGreaterThan(1);
    expect(most).toBeLessThanOrEqual(CONCURRENT_RESUMES);
    expect(timersOfBot).toHaveLength(1);
    await eventually(async () => expect(await hasPausedConversations(bot.id)).toBe(false));
    expect((await stateOf(bot.id, endpoint.url)).breaker).toBeUndefined();
  });
});

describe('a slow endpoint', () => {
  it('has a limited number of concurrent slow calls, and starts the next one when one ends', {
    timeout: 90_000,
  }, async () => {
    process.env[VARIABLES.slowCallsPerBot] = '3';
    const bot = await newBot();
    const open: (() => void)[] = [];
    let isSlow = true;
    const endpoint = await endpointOf(bot, ({ operation }, response) => {
      if (operation === 'event_received' && isSlow) open.push(() => response.end('{}'));
      else response.end('{}');
    });

    await number(bot, [1, 2, 3]);
    await eventually(async () => expect((await stateOf(bot.id)).slowCalls).toBe(3));
    await number(
      bot,
      Array.from({ length: 20 }, (_, i) => i + 4),
    );
    await eventually(async () => expect(await heldOf(bot.id)).toHaveLength(20));
    expect(endpoint.events()).toHaveLength(3);
    open.shift()!();
    await eventually(async () => expect(endpoint.events()).toHaveLength(4));
    isSlow = false;
    for (const answer of open.splice(0)) answer();

    await eventually(async () => expect(endpoint.events()).toHaveLength(23), 30_000);
    await eventually(async () => expect(await stateOf(bot.id)).toMatchObject({ slowCalls: 0, resuming: new Set() }));
    expect((await bot.client.listEvents({ status: 'pending' })).events).toEqual([]);
  });

  it('does not count a call whose function crashed', async () => {
    const bot = await newBot();
    await startSlowCall(bot.id, 'dead', clock.now() - 1);
    await startSlowCall(bot.id, 'alive', clock.now() + HOUR_MS);

    expect((await stateOf(bot.id)).slowCalls).toBe(1);

    await endSlowCall(bot.id, 'alive');
    expect((await stateOf(bot.id)).slowCalls).toBe(0);
  });

  it('leaves no queue backlog and does not delay another bot', { timeout: 120_000 }, async () => {
    process.env[VARIABLES.slowCallsPerBot] = '5';
    const [hanging, bystander] = [await newBot(), await newBot()];
    const dead = await endpointOf(hanging, ({ operation }, response) => {
      if (operation !== 'event_received') response.end('{}');
    });
    const alive = await endpointOf(bystander);
    const queued = jobs();
    await number(hanging, [1, 2, 3, 4, 5]);
    await eventually(async () => expect((await stateOf(hanging.id)).slowCalls).toBe(5));

    for (let i = 0; i < BACKLOG / 20; i++) {
      await number(
        hanging,
        Array.from({ length: 20 }, (_, n) => i * 20 + n),
      );
    }
    await number(bystander, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);

    await eventually(async () => expect(alive.events()).toHaveLength(10), 30_000);
    await eventually(async () => expect(await heldOf(hanging.id)).toHaveLength(BACKLOG), 30_000);
    // No job of it waits, and none was delivered twice.
    expect(queued().filter(({ botId }) => botId === hanging.id)).toHaveLength(BACKLOG + 5);
    expect(dead.events()).toHaveLength(5);
    // No dead letter is left.
    await hanging.workspace.owner.client.deleteBot({ id: hanging.id });
  });
});
