/** Tests the content and order of deliveries, and misbehaving endpoints. */

import { marshall } from '@aws-sdk/util-dynamodb';
import { Webhook } from 'standardwebhooks';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { queueDeliveries } from '#functions/events/queueDeliveries.ts';
import { lambdaContext } from '#infra/local/runtime/lambdaContext.ts';
import { clock } from '#shared/core/clock.ts';
import { VARIABLES } from '#shared/core/environment.ts';
import { deliver } from '#shared/events/delivery/deliver.ts';
import { ATTEMPTS } from '#shared/events/delivery/deliveryLimits.ts';
import { orderOfEvent } from '#shared/storage/dynamodb/chat/events.ts';
import { findPaused, pauseConversation } from '#shared/storage/dynamodb/delivery/pausedConversations.ts';
import { readItem } from '#shared/storage/dynamodb/engine/query.ts';
import { pauseAfter } from '#shared/storage/queues/backoff.ts';
import { startEndpoint, type TestEndpoint } from '#test/support/endpoint.ts';
import {
  eventually,
  newBot,
  newUser,
  newWorkspace,
  settled,
  type TestBot,
  useSharedPlatform,
} from '#test/support/platform.ts';

useSharedPlatform();

const endpoints: TestEndpoint[] = [];
async function endpoint(...given: Parameters<typeof startEndpoint>) {
  const started = await startEndpoint(...given);
  endpoints.push(started);
  return started;
}
beforeEach(() => {
  // The shortest pause, because a queue delays by whole seconds.
  process.env[VARIABLES.firstPauseMs] = '1';
});
afterEach(() => {
  for (const each of endpoints.splice(0)) each.stop();
  delete process.env[VARIABLES.firstPauseMs];
});

/** A bot with an endpoint, and a chat user in a conversation. */
async function scene(bot: TestBot, { url }: { url: string }) {
  const { client: admin } = bot.workspace.owner;
  const { bot: record } = await admin.updateBot({ id: bot.id, url });
  const { client: chat, user } = await newUser(bot, { name: 'Ada' });
  const { conversation } = await chat.createConversation({});
  const say = (text: string) =>
    chat.createMessage({ conversationId: conversation.id, payload: { type: 'text', text } });
  return { admin, record, chat, user, conversationId: conversation.id, say };
}

const textsOf = (events: ReturnType<TestEndpoint['events']>) =>
  events.filter(({ type }) => type === 'message_created').map(({ payload }) => payload.message.payload.text);

describe('a message of a user', () => {
  it("is delivered in the SDK's format, signed, and marks the event as processed", async () => {
    const bot = await newBot();
    const { url, received, events } = await endpoint();
    const { user, conversationId, say } = await scene(bot, { url });

    const { message } = await say('Hello');

    await eventually(async () => expect(events()).toHaveLength(1));
    const { headers, text } = received.find(({ operation }) => operation === 'event_received')!;
    expect(headers).toMatchObject({
      'content-type': 'application/json',
      'x-bot-id': bot.id,
      'x-bp-type': 'message_created',
      'webhook-id': events()[0].id,
    });
    expect(JSON.parse(Buffer.from(String(headers['x-bp-configuration']), 'base64').toString())).toEqual({});
    expect(events()[0]).toMatchObject({
      type: 'message_created',
      conversationId,
      userId: user.id,
      messageId: message.id,
      payload: {
        message: { id: message.id, type: 'text', payload: { text: 'Hello' }, direction: 'incoming' },
        user: { id: user.id, name: 'Ada' },
        conversation: { id: conversationId, integration: 'chat', channel: 'channel' },
      },
    });
    expect(JSON.parse(text)).toEqual({ event: events()[0] });
    await eventually(async () => {
      const { event } = await bot.client.getEvent({ id: events()[0].id });
      expect(event).toMatchObject({
        status: 'processed',
        failureReason: null,
        payload: { message: { id: message.id } },
      });
    });
    expect((await bot.client.listEvents({ conversationId, status: 'processed' })).events).toHaveLength(1);
  });

  it('is signed with every valid secret', async () => {
    const bot = await newBot();
    const { url, received } = await endpoint();
    const { admin, record, say } = await scene(bot, { url });
    const before = record.signingSecret as string;
    const { newSigningSecret } = await admin.rotateBotSigningSecrets({ id: bot.id });

    await say('Hello');

    const { headers, text } = await eventually(async () => {
      const one = received.find(({ operation }) => operation === 'event_received');
      expect(one).toBeDefined();
      return one!;
    });
    const signedAt = new Date(Number(headers['webhook-timestamp']) * 1000);
    const signatures = [newSigningSecret, ...(before ? [before] : [])].map(secret =>
      new Webhook(secret).sign(String(headers['webhook-id']), signedAt, text),
    );
    const sent = String(headers['webhook-signature']).split(' ');
    expect(sent).toHaveLength(2);
    expect(sent).toEqual(expect.arrayContaining(signatures));
    expect(Math.abs(signedAt.getTime() - clock.now())).toBeLessThan(60_000);
  });

  it('is also delivered as a custom event, unlike the bot’s own messages', async () => {
    const bot = await newBot();
    const { url, events } = await endpoint();
    const { user, chat, conversationId } = await scene(bot, { url });
    const own = { conversationId, userId: bot.id, type: 'text', payload: { text: 'own' }, tags: {} };

    await bot.client.createMessage(own);
    await chat.createEvent({ conversationId, payload: { foo: 'bar' } });
    await bot.client.createEvent({ type: 'mine', payload: { a: 1 }, conversationId });

    await eventually(async () => expect(events()).toHaveLength(2));
    expect(events()[0]).toMatchObject({
      type: 'chat:custom',
      payload: { userId: user.id, conversationId, payload: { foo: 'bar' } },
    });
    expect(events()[1]).toMatchObject({ type: 'mine', payload: { a: 1 } });
  });
});

describe('an endpoint', () => {
  it('receives everything in order after ten 503 responses', { timeout: 60_000 }, async () => {
    let refusals = 0;
    const bot = await newBot();
    const { url, events } = await endpoint(({ operation }, response) => {
      const isRefused = operation === 'event_received' && refusals++ < 10;
      response.writeHead(isRefused ? 503 : 200).end('{}');
    });
    const { say } = await scene(bot, { url });

    for (const text of ['1', '2', '3']) await say(text);

    await eventually(async () => expect(textsOf(events()).slice(10)).toEqual(['1', '2', '3']), 40_000);
    expect(textsOf(events()).slice(0, 10)).toEqual(Array(10).fill('1'));
    expect(new Set(events().map(({ id }) => id)).size).toBe(3);
  });

  it('truncates a failure reason between characters', async () => {
    const bot = await newBot();
    // The reason contains up to 500 UTF-16 code units of the response.
    const { url } = await endpoint((_, response) => void response.writeHead(400).end(`x${'🦜'.repeat(400)}`));
    const { say } = await scene(bot, { url });

    await say('1');

    await eventually(async () => {
      const { events: failed } = await bot.client.listEvents({ status: 'failed' });
      expect(failed.map(({ failureReason }) => failureReason)).toEqual([expect.stringMatching(/: x🦜{249}$/u)]);
    });
  });

  it('fails the event with its reason on a 4xx, and receives the next one', async () => {
    const bot = await newBot();
    const { url, events } = await endpoint((_, response) => void response.writeHead(400).end('{"message":"no"}'));
    const { admin, record, say } = await scene(bot, { url });

    await say('1');
    await say('2');

    await eventually(async () => expect(textsOf(events())).toEqual(['1', '2']));
    await eventually(async () => {
      const { events: failed } = await bot.client.listEvents({ status: 'failed' });
      expect(failed).toHaveLength(2);
      expect(failed[0]!.failureReason).toMatch(/400.*no/);
    });
    await eventually(async () => {
      const { logs } = await admin.getBotLogs({ id: bot.id, timeStart: record.createdAt, level: 'error' });
      expect(logs.map(({ message }) => message).join()).toContain('failed');
    });
  });

  it('receives the event again under the same id after a broken connection, and may respond at any length', async () => {
    let times = 0;
    const bot = await newBot();
    const { url, events, received } = await endpoint(({ operation }, response) => {
      if (operation !== 'event_received') return void response.end('{}');
      times++;
      if (times === 1) {
        response.destroy();
      } else if (times === 2) {
        response.writeHead(503).write('{');
        response.destroy();
      } else {
        response.end('x'.repeat(10 * 1024 * 1024));
      }
    });
    const { say } = await scene(bot, { url });

    await say('1');

    await eventually(async () => expect(textsOf(events())).toEqual(['1', '1', '1']));
    const ids = received.filter(({ operation }) => operation === 'event_received');
    expect(new Set(ids.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    await eventually(async () => expect((await bot.client.listEvents({ status: 'processed' })).events).toHaveLength(1));
  });

  it('receives the event again after a timeout, before later events', async () => {
    process.env[VARIABLES.deliveryTimeoutMs] = '300';
    let times = 0;
    const bot = await newBot();
    const { url, events } = await endpoint(({ operation }, response) => {
      if (operation === 'event_received' && ++times <= 2) return;
      response.end('{}');
    });
    const { say } = await scene(bot, { url });

    await say('1');
    await say('2');

    await eventually(async () => expect(textsOf(events())).toEqual(['1', '1', '1', '2']));
    delete process.env[VARIABLES.deliveryTimeoutMs];
  });

  it('does not delay other bots while it is down', async () => {
    const workspace = await newWorkspace();
    const [dead, alive] = [await newBot(workspace), await newBot(workspace)];
    const { url, events } = await endpoint();
    const [deadScene, aliveScene] = [await scene(dead, { url: 'http://127.0.0.1:1' }), await scene(alive, { url })];

    for (let i = 0; i < 5; i++) await deadScene.say(`${i}`);
    await aliveScene.say('Hello');

    await eventually(async () => expect(textsOf(events())).toEqual(['Hello']));
    // The stream is read per shard, so deliveries of the other bot are independent.
    await eventually(async () => expect((await dead.client.listEvents({ status: 'pending' })).events).toHaveLength(5));
    // No retry is pending.
    await dead.workspace.owner.client.updateBot({ id: dead.id, url: null });
  });
});

describe('hooks', () => {
  it('notifies a bot and an integration of installation and removal', async () => {
    const bot = await newBot();
    const { url, received } = await endpoint();
    const { client } = bot.workspace.owner;
    const delivered = () => received.map(({ operation, headers }) => [operation, headers['x-integration-alias']]);

    await client.updateBot({ id: bot.id, url });
    await eventually(async () =>
      expect(delivered()).toEqual([
        ['ping', undefined],
        ['register', undefined],
      ]),
    );
    await client.updateIntegration({ id: bot.integrationId, url });
    await client.updateBot({ id: bot.id, integrations: { chat: { enabled: true, configuration: { a: 1 } } } });
    await eventually(async () => expect(delivered()).toContainEqual(['register', 'chat']));
    await client.updateBot({ id: bot.id, url: null });

    await eventually(async () => expect(delivered()).toContainEqual(['unregister', undefined]));
    const registered = received.find(({ headers }) => headers['x-integration-alias'] === 'chat')!;
    expect(registered.headers).toMatchObject({ 'x-integration-id': bot.integrationId, 'x-webhook-id': bot.webhookId });
  });
});

describe('a delivery', () => {
  it('fails with its reason after the last attempt, and the conversation continues', async () => {
    const bot = await newBot();
    const { id: conversationId } = (await bot.client.createConversation({ channel: 'channel', tags: {} })).conversation;
    const { event } = await bot.client.createEvent({ type: 'lost', payload: {}, conversationId });
    const { event: next } = await bot.client.createEvent({ type: 'next', payload: {}, conversationId });
    // Only this test causes retries, because further ones would open the breaker.
    process.env[VARIABLES.firstPauseMs] = '60000';
    await bot.workspace.owner.client.updateBot({ id: bot.id, url: 'http://127.0.0.1:1' });
    // The new url resumes pending deliveries.
    await settled();
    const { position: firstPosition } = orderOfEvent(event.id);
    const nowMs = clock.now();
    const held = { conversationId, firstPosition, eventId: event.id, sinceMs: nowMs, nextMs: nowMs };
    await pauseConversation(bot.id, { ...held, attempts: ATTEMPTS - 1, badAttempts: 0 }, undefined);

    await deliver({ kind: 'drain', botId: bot.id, conversationId, firstPosition }, 1);

    const [lost] = (await bot.client.listEvents({ type: 'lost' })).events;
    expect(lost).toMatchObject({ status: 'failed', failureReason: expect.stringMatching(/24 attempts.*ECONNREFUSED/) });
    expect(await findPaused(bot.id, conversationId)).toMatchObject({ eventId: next.id, attempts: 1 });
    await bot.workspace.owner.client.updateBot({ id: bot.id, url: null });
  });

  it('is sent once when it is enqueued twice', async () => {
    const bot = await newBot();
    const { url, events } = await endpoint();
    const { conversationId, say } = await scene(bot, { url });
    const { message } = await say('Hello');
    await eventually(async () => expect(events()).toHaveLength(1));
    const position = message.id.slice(4, 14);
    const key = { pk: `${bot.id}#${conversationId}`, sk: `t#${position}` };
    const record = {
      eventName: 'INSERT',
      dynamodb: { Keys: marshall(key), NewImage: marshall((await readItem(key))!) },
    };

    await queueDeliveries.handle({ Records: [record, record] } as never, lambdaContext('queueDeliveries', 60_000));
    await deliver({ kind: 'event', botId: bot.id, eventId: events()[0].id }, 1);

    await say('More');
    await eventually(async () => expect(textsOf(events())).toEqual(['Hello', 'More']));
  });
});

it('doubles its pauses with jitter up to 15 minutes, for about three hours in all', () => {
  delete process.env[VARIABLES.firstPauseMs];
  const pauses = Array.from({ length: 23 }, (_, i) => pauseAfter(i + 1, 1));

  expect(pauses.slice(0, 5)).toEqual([1_000, 2_000, 4_000, 8_000, 16_000]);
  expect(pauses.at(-1)).toBe(900_000);
  expect(pauseAfter(3, 0)).toBe(2_000);
  const hours = pauses.reduce((sum, pause) => sum + pause, 0) / 3_600_000;
  expect(hours).toBeGreaterThan(2);
});
