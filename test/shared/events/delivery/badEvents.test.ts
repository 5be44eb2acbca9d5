/** Tests that an event whose endpoint cannot handle it fails early, and that the conversation continues. */
import { afterEach, describe, expect, it } from 'vitest';
import { findBreaker } from '#shared/storage/dynamodb/delivery/breakers.ts';
import { hasPausedConversations } from '#shared/storage/dynamodb/delivery/pausedConversations.ts';
import { destinationOf } from '#shared/storage/dynamodb/partitioning/destinations.ts';
import { eventsOf, newAnsweringBot, pass, SECOND_MS, talk, textsOf } from '#test/support/deliveries.ts';
import { startEndpoint, type TestEndpoint } from '#test/support/endpoint.ts';
import { installIntegration } from '#test/support/integration.ts';
import { apiBaseUrl, Client, eventually, newBot, settled, useSharedPlatform } from '#test/support/platform.ts';
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

describe('an event that the endpoint cannot handle', () => {
  it('is attempted three times under one id, then the conversation continues within 20 seconds', async () => {
    const { bot, endpoint } = await newScene(text => (text === 'bad' ? 500 : 200));
    const { say } = await talk(bot);

    for (const text of ['bad', '1', '2']) await say(text);
    await settled();
    await pass(20 * SECOND_MS, SECOND_MS);

    expect(textsOf(endpoint)).toEqual(['bad', 'bad', 'bad', '1', '2']);
    const headers = endpoint.received
      .filter(({ operation }) => operation === 'event_received')
      .map(each => [each.headers['x-bp-attempt'], each.headers['webhook-id']]);
    const { id } = endpoint.events()[0];
    expect(headers.slice(0, 4)).toEqual([
      ['1', id],
      ['2', id],
      ['3', id],
      ['1', endpoint.events()[3].id],
    ]);
    expect(await eventsOf(bot, 'failed')).toEqual([
      expect.objectContaining({ id, failureReason: expect.stringMatching(/after 3 attempts.*500.*this is bad/) }),
    ]);
    expect(await hasPausedConversations(bot.id)).toBe(false);
  });

  it('is delivered by a replay once the bot can handle it', async () => {
    let status = 500;
    const { bot, endpoint } = await newScene(() => status);
    const { say } = await talk(bot);
    await say('bad');
    await settled();
    await pass(20 * SECOND_MS, SECOND_MS);
    expect(await eventsOf(bot, 'failed')).toHaveLength(1);

    status = 200;
    await bot.workspace.call('POST', `/bots/${bot.id}/events/replay`, { body: {} });

    await eventually(async () => expect(await eventsOf(bot, 'processed')).toHaveLength(1));
    expect(textsOf(endpoint)).toEqual(['bad', 'bad', 'bad', 'bad']);
  });

  it('fails if deployed code throws', async () => {
    const bot = await newBot();
    const code = `exports.handler = async ({ body }) => {
      if (body.includes('"bad"')) throw new Error('Boom');
      return { status: 200 };
    };`;
    await bot.workspace.owner.client.updateBot({ id: bot.id, code });
    await settled();
    const { say } = await talk(bot);

    await say('bad');
    await say('good');

    await inFastTime(() => eventually(async () => expect(await eventsOf(bot, 'processed')).toHaveLength(1), 20_000));
    expect(await eventsOf(bot, 'failed')).toEqual([
      expect.objectContaining({ failureReason: expect.stringMatching(/after 3 attempts.*Boom/) }),
    ]);
  });

  it('fails if an integration cannot send it', async () => {
    const endpoint = await startEndpoint(({ operation, body }, response) => {
      const isBad = operation === 'message_created' && body.payload.text === 'bad';
      response.writeHead(isBad ? 500 : 200).end('{"message":"no such table"}');
    });
    endpoints.push(endpoint);
    const installed = await installIntegration({ url: endpoint.url, channels: { table: { messages: {} } } });
    const { botId, botKey, webhookId } = installed;
    const bot = new Client({ apiUrl: apiBaseUrl(), token: botKey, botId });
    const { conversation } = await new Client({
      apiUrl: apiBaseUrl(),
      token: installed.integrationKey,
      botId,
      integrationId: installed.integrationId,
      integrationAlias: 'pizza',
    }).getOrCreateConversation({ channel: 'table', tags: { id: '3' } });
    const say = async (text: string) =>
      (
        await bot.createMessage({
          conversationId: conversation.id,
          userId: botId,
          type: 'text',
          payload: { text },
          tags: {},
        })
      ).message;

    const { id } = await say('bad');
    await say('good');
    await settled();
    await pass(20 * SECOND_MS, SECOND_MS);

    const delivered = endpoint.received.filter(({ operation }) => operation === 'message_created');
    expect(delivered.map(({ body, headers }) => [body.payload.text, headers['x-bp-attempt']])).toEqual([
      ['bad', '1'],
      ['bad', '2'],
      ['bad', '3'],
      ['good', '1'],
    ]);
    expect((await bot.getMessage({ id })).message.tags).toEqual({
      deliveryFailure: 'Gave up after 3 attempts: no such table',
    });
    expect(await hasPausedConversations(destinationOf(botId, webhookId))).toBe(false);
  });

  it('does not open the breaker while most events are handled', async () => {
    const { bot, endpoint } = await newScene(text => (text === 'bad' ? 500 : 200));
    const talks = await Promise.all(Array.from({ length: 12 }, () => talk(bot)));
    const [one, ...others] = talks;

    await one!.say('bad');
    await settled();
    for (const [i, { say }] of others.entries()) {
      await say(i % 3 === 0 ? 'bad' : 'good');
      // Otherwise, the deliveries of conversations run concurrently, and five bad ones can end before the good ones.
      await settled();
    }
    // Five conversations share the wakeups of the endpoint, so their last attempts can follow after 15 seconds.
    await pass(60 * SECOND_MS, SECOND_MS);

    expect((await findBreaker(bot.id, endpoint.url))?.openings ?? 0).toBe(0);
    expect(await eventsOf(bot, 'failed')).toHaveLength(5);
    expect(await eventsOf(bot, 'processed')).toHaveLength(7);
  });
});
