/** Tests the outgoing webhook of a chat: docs/api/chat.md#outgoing-webhook. */
import type { ServerResponse } from 'node:http';
import { Webhook } from 'standardwebhooks';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { clock } from '#shared/core/clock.ts';
import { VARIABLES } from '#shared/core/environment.ts';
import { signalUrlHash } from '#shared/outbound/installations/signalWebhook.ts';
import { findBot } from '#shared/storage/dynamodb/bots/bots.ts';
import { findBreaker } from '#shared/storage/dynamodb/delivery/breakers.ts';
import { hasPausedConversations } from '#shared/storage/dynamodb/delivery/pausedConversations.ts';
import { destinationOf } from '#shared/storage/dynamodb/partitioning/destinations.ts';
import { openText } from '#shared/storage/dynamodb/secrets/sealed.ts';
import { pass, SECOND_MS, talk, textsOf } from '#test/support/deliveries.ts';
import { startEndpoint, type TestEndpoint } from '#test/support/endpoint.ts';
import {
  eventually,
  isLeftOut,
  newBot,
  newUser,
  settled,
  type TestBot,
  useSharedPlatform,
} from '#test/support/platform.ts';
import { recordLog } from '#test/support/recordLog.ts';

useSharedPlatform();

const SECRET = 'whs_4mW7cY1pF6hJ3sD5';
const stopped: TestEndpoint[] = [];
beforeEach(() => {
  vi.stubEnv(VARIABLES.firstPauseMs, '1000');
});
afterEach(() => {
  for (const each of stopped.splice(0)) each.stop();
  vi.unstubAllEnvs();
});

type Answer = NonNullable<Parameters<typeof startEndpoint>[0]>;
interface Signal {
  type: string;
  // biome-ignore lint/suspicious/noExplicitAny: the data of any signal; the test asserts its shape
  data: any;
}

async function endpointOf(answer?: Answer) {
  const endpoint = await startEndpoint(answer);
  stopped.push(endpoint);
  return endpoint;
}

const configure = (bot: TestBot, configuration: Record<string, unknown>, enabled = true) =>
  bot.workspace.owner.client.updateBot({ id: bot.id, integrations: { chat: { enabled, configuration } } });

/** Creates a bot whose chat has a webhook at an endpoint, which responds with the status for a signal. */
async function scene(statusOf: (signal: Signal) => number = () => 200, configuration: Record<string, unknown> = {}) {
  const accepted: Signal[] = [];
  const endpoint = await endpointOf(({ body }, response) => {
    const status = statusOf(body);
    if (status === 200) accepted.push(body);
    response.writeHead(status).end(status === 200 ? '' : `wrong key ${SECRET}`);
  });
  const bot = await newBot();
  await configure(bot, { webhookUrl: endpoint.url, webhookSecret: SECRET, ...configuration });
  await settled();
  return { bot, endpoint, accepted, destination: destinationOf(bot.id, bot.webhookId) };
}

const textsIn = (signals: readonly Signal[], conversationId: string) =>
  signals
    .filter(({ type, data }) => type === 'message_created' && data.conversationId === conversationId)
    .map(({ data }) => data.payload.text as string);

const breakerOf = (destination: string, webhookUrl: string) =>
  findBreaker(destination, signalUrlHash({ configuration: { webhookUrl } })!);

const logsOf = async (bot: TestBot) =>
  (
    await bot.workspace.owner.client.getBotLogs({
      id: bot.id,
      timeStart: new Date(clock.now() - 24 * 3600 * SECOND_MS).toISOString(),
    })
  ).logs.map(({ message }) => message);

const numbers = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => String(from + i));

// A deployed function cannot reach this process.
describe.skipIf(isLeftOut('faults'))('the webhook of a chat', () => {
  it('receives every signal with the ids that users see, signed and with the secret', async () => {
    const { bot, endpoint, accepted } = await scene();
    const author = await newUser(bot);
    const guest = await newUser(bot);
    const { client } = author;
    const conversationId = 'support-1';
    const { conversation } = await client.createConversation({ id: conversationId });
    const { conversations } = await bot.client.listConversations({});
    const internalId = conversations[0]!.id;

    const payload = { type: 'text' as const, text: 'Hello' };
    const { message } = await client.createMessage({ conversationId, payload });
    await client.addParticipant({ conversationId, userId: guest.user.id });
    const { event } = await client.createEvent({ conversationId, payload: { clicked: true } });
    const reply = await bot.client.createMessage({
      conversationId: internalId,
      userId: bot.id,
      type: 'text',
      payload: { text: 'Hi' },
      tags: {},
    });
    await bot.client.updateMessage({ id: reply.message.id, payload: { text: 'Hi!' }, tags: {} });
    await client.removeParticipant({ conversationId, userId: guest.user.id });
    await client.deleteMessage({ id: message.id });
    await settled();

    expect(conversation.id).toBe(conversationId);
    const userId = author.user.id;
    await eventually(() =>
      Promise.resolve(
        expect(accepted.filter(({ data }) => data.participantId !== userId)).toEqual([
          { type: 'message_created', data: { ...message, isBot: false } },
          { type: 'participant_added', data: { conversationId, participantId: guest.user.id } },
          { type: 'event_created', data: { ...event, isBot: false } },
          {
            type: 'message_created',
            data: expect.objectContaining({ id: reply.message.id, conversationId, userId: bot.id, isBot: true }),
          },
          {
            type: 'message_updated',
            data: expect.objectContaining({ payload: { type: 'text', text: 'Hi!' }, conversationId, isBot: true }),
          },
          { type: 'participant_removed', data: { conversationId, participantId: guest.user.id } },
          { type: 'message_deleted', data: { id: message.id, conversationId, userId } },
        ]),
      ),
    );
    const { signingSecrets } = (await findBot(bot.id))!;
    const verifier = new Webhook(openText(signingSecrets[0]!.sealed, { owner: bot.id, field: 'signingSecrets' }));
    for (const { headers, text } of endpoint.received) {
      expect(headers).toMatchObject({
        'x-secret-key': SECRET,
        'x-bot-id': bot.id,
        'x-webhook-id': bot.webhookId,
        'x-bp-attempt': '1',
      });
      // `verify` compares the time with a clock that tests do not advance.
      const signedAt = new Date(Number(headers['webhook-timestamp']) * 1000);
      expect(headers['webhook-signature']).toBe(verifier.sign(String(headers['webhook-id']), signedAt, text));
      expect(headers).not.toHaveProperty('x-bp-configuration');
    }
    expect(new Set(endpoint.received.map(({ headers }) => headers['webhook-id'])).size).toBe(endpoint.received.length);
  });

  it('receives 100 signals of two conversations in order after an outage', { timeout: 60_000 }, async () => {
    let isDown = false;
    const { bot, endpoint, accepted, destination } = await scene(() => (isDown ? 503 : 200));
    const talks = [await talk(bot), await talk(bot)];
    const sayAll = async (texts: string[]) => {
      for (const text of texts) for (const { say } of talks) await say(text);
      await settled();
    };
    await sayAll(numbers(0, 20));
    isDown = true;
    await sayAll(numbers(20, 40));
    await pass(120 * SECOND_MS, 30 * SECOND_MS);
    const breakerWhenDown = await breakerOf(destination, endpoint.url);

    isDown = false;
    await sayAll(numbers(40, 50));
    await pass(900 * SECOND_MS, 30 * SECOND_MS);

    expect(breakerWhenDown?.openings).toBeGreaterThan(0);
    for (const { conversationId } of talks) {
      expect(textsIn(accepted, conversationId)).toEqual(numbers(0, 50));
    }
    expect(await hasPausedConversations(destination)).toBe(false);
    expect((await breakerOf(destination, endpoint.url))?.openings ?? 0).toBe(0);
  });

  it('skips a signal that it cannot handle after three attempts, without an event for the bot', async () => {
    const { bot, endpoint, accepted } = await scene(({ data }) => (data.payload?.text === 'bad' ? 500 : 200));
    const log = recordLog();
    const { conversationId, say } = await talk(bot);

    for (const text of ['bad', '1']) await say(text);
    await settled();
    await pass(20 * SECOND_MS, SECOND_MS);

    expect(textsIn(accepted, conversationId)).toEqual(['1']);
    expect(
      textsIn(
        endpoint.received.map(({ body }) => body),
        conversationId,
      ),
    ).toEqual(['bad', 'bad', 'bad', '1']);
    expect((await bot.client.listEvents({ type: 'message_delivery_failed' })).events).toEqual([]);
    const logs = await logsOf(bot);
    expect(logs.join('\n')).toMatch(/The signal message_created of convo_\w+ to the webhook of the chat failed: .*500/);
    // The endpoint repeats the secret in its response.
    expect(logs.join('\n')).not.toContain(SECRET);
    expect(log.lines.join('\n')).not.toContain(SECRET);
  });

  it('receives a failed signal again after a replay', async () => {
    let status = 400;
    const { bot, endpoint, accepted } = await scene(() => status);
    const { conversationId, say } = await talk(bot);
    await say('1');
    await settled();
    const before = textsIn(accepted, conversationId);
    status = 200;

    await bot.workspace.call('POST', `/bots/${bot.id}/events/replay`, { body: {} });

    await eventually(async () => expect(textsIn(accepted, conversationId)).toEqual(['1']));
    expect(before).toEqual([]);
    const ids = endpoint.received.map(({ headers }) => headers['webhook-id']);
    expect(ids.at(-1)).toBe(ids[0]);
  });

  it('receives no signals of another chat of the bot', async () => {
    const { bot, accepted } = await scene();
    const { integration } = await bot.workspace.owner.client.createIntegration({ name: 'chat', version: '8.0.0' });
    const { bot: changed } = await bot.workspace.owner.client.updateBot({
      id: bot.id,
      integrations: { second: { integrationId: integration.id, enabled: true } },
    });
    const other = { ...bot, chatUrl: changed.integrations.second!.webhookUrl };
    const [mine, others] = [await talk(bot), await talk(other)];

    await others.say('1');
    await mine.say('2');
    await settled();

    await eventually(async () => expect(textsIn(accepted, mine.conversationId)).toEqual(['2']));
    expect(accepted.map(({ data }) => data.conversationId)).not.toContain(others.conversationId);
  });

  it('delays neither the bot nor other conversations while it does not respond', async () => {
    const unanswered: ServerResponse[] = [];
    let hanging = '';
    const webhook = await endpointOf(({ body }, response) => {
      if (body.data.conversationId === hanging) unanswered.push(response);
      else response.end();
    });
    const endpoint = await endpointOf();
    const bot = await newBot();
    await configure(bot, { webhookUrl: webhook.url });
    await bot.workspace.owner.client.updateBot({ id: bot.id, url: endpoint.url });
    const [slow, other] = [await talk(bot), await talk(bot)];
    hanging = slow.conversationId;

    for (const text of ['1', '2', '3']) for (const { say } of [slow, other]) await say(text);

    await eventually(async () => {
      expect(unanswered).not.toHaveLength(0);
      expect(textsOf(endpoint, slow.conversationId)).toEqual(['1', '2', '3']);
      expect(textsOf(endpoint, other.conversationId)).toEqual(['1', '2', '3']);
      const signals = webhook.received.map(({ body }) => body as Signal);
      expect(textsIn(signals, other.conversationId)).toEqual(['1', '2', '3']);
    });
    hanging = '';
    for (const response of unanswered) response.end();
    await settled();
  });

  it('receives pending signals immediately at a new URL', async () => {
    const { bot, accepted } = await scene(() => 503);
    const moved = await endpointOf();
    // Without the change, the next attempt is an hour away.
    vi.stubEnv(VARIABLES.firstPauseMs, '3600000');
    const { conversationId, say } = await talk(bot);
    for (const text of ['1', '2']) await say(text);
    await settled();

    await configure(bot, { webhookUrl: moved.url });

    await eventually(async () =>
      expect(
        textsIn(
          moved.received.map(({ body }) => body),
          conversationId,
        ),
      ).toEqual(['1', '2']),
    );
    expect(accepted).toEqual([]);
    // A configuration without the secret keeps it.
    expect(moved.received[0]!.headers['x-secret-key']).toBe(SECRET);
  });

  it.each([
    ['its URL was removed', (bot: TestBot) => configure(bot, {})],
    ['the chat was disabled', (bot: TestBot, url: string) => configure(bot, { webhookUrl: url }, false)],
    [
      'the chat was uninstalled',
      ({ id, workspace }: TestBot) => workspace.owner.client.updateBot({ id, integrations: { chat: null } }),
    ],
    ['the bot was deleted', ({ id, workspace }: TestBot) => workspace.owner.client.deleteBot({ id })],
  ])('receives no pending signals after %s', async (_, end: (bot: TestBot, url: string) => Promise<unknown>) => {
    let status = 503;
    const { bot, endpoint, destination } = await scene(() => status);
    const { say } = await talk(bot);
    await say('1');
    await settled();
    const before = endpoint.received.length;
    status = 200;

    await end(bot, endpoint.url);
    await settled();
    await pass(600 * SECOND_MS, 60 * SECOND_MS);

    expect(before).toBeGreaterThan(0);
    expect(endpoint.received).toHaveLength(before);
    expect(await hasPausedConversations(destination)).toBe(false);
  });

  it('does not receive a message that was deleted while its signal was pending', async () => {
    let isDown = true;
    const { bot, accepted } = await scene(() => (isDown ? 503 : 200));
    const { client, conversationId, say } = await talk(bot);
    const { message } = await say('secret plan');
    await settled();
    await client.deleteMessage({ id: message.id });
    await settled();

    isDown = false;
    await pass(120 * SECOND_MS, 30 * SECOND_MS);

    expect(textsIn(accepted, conversationId)).toEqual([]);
    expect(accepted.at(-1)).toMatchObject({ type: 'message_deleted', data: { id: message.id } });
  });

  it('receives a message of 900 KB whole', async () => {
    const { bot, accepted } = await scene();
    const { conversationId, say } = await talk(bot);
    const text = 'Grüße '.repeat(110_000);

    await say(text);

    await eventually(async () => expect(textsIn(accepted, conversationId)).toEqual([text]));
  });

  it('is not called at a private address', async () => {
    const { bot, endpoint } = await scene();
    vi.stubEnv(VARIABLES.privateEndpoints, 'false');
    const { say } = await talk(bot);

    await say('1');
    await settled();

    await eventually(async () => expect((await logsOf(bot)).join('\n')).toContain('its address is not public'));
    expect(endpoint.received).toEqual([]);
  });
});
