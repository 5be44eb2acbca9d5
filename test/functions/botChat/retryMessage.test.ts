import { afterEach, describe, expect, it } from 'vitest';
import { startEndpoint, type TestEndpoint } from '#test/support/endpoint.ts';
import { newFailedMessage } from '#test/support/failedMessages.ts';
import { newConversation, newTalk } from '#test/support/handoffs.ts';
import { eventually, isLeftOut, newBot, settled, type TestBot, useSharedPlatform } from '#test/support/platform.ts';

useSharedPlatform();

let endpoint: TestEndpoint | undefined;
afterEach(() => endpoint?.stop());

const retry = (bot: TestBot, id: string, token = bot.tokens.bot) =>
  bot.call('POST', `/messages/${id}/retry`, { token, body: {} });
const textsOf = (name: string) =>
  endpoint!.received.filter(({ operation }) => operation === name).map(({ body }) => body.payload?.text ?? body.event);

describe('POST /v1/chat/messages/{id}/retry', () => {
  it.skipIf(isLeftOut('faults'))("redelivers a user's failed message once", async () => {
    let status = 400;
    endpoint = await startEndpoint((_, response) => void response.writeHead(status).end('{}'));
    const bot = await newBot();
    await bot.workspace.owner.client.updateBot({ id: bot.id, url: endpoint.url });
    const { token } = await bot.workspace.join('agent');
    const { conversationId, say } = await newTalk(bot);
    const id = await say('hello');
    const statusOf = async () => (await bot.client.listEvents({ conversationId })).events[0]!.status;
    await eventually(async () => expect(await statusOf()).toBe('failed'));
    status = 200;

    const { status: answered, body } = await retry(bot, id, token);
    await settled();

    expect({ answered, body }).toEqual({ answered: 200, body: {} });
    expect(await statusOf()).toBe('processed');
    expect(endpoint.events()).toHaveLength(2);
    expect(await retry(bot, id)).toMatchObject({ status: 409, body: { type: 'RelationConflict' } });
  });

  it.skipIf(isLeftOut('faults'))('redelivers a failed message to its integration only', async () => {
    let status = 400;
    endpoint = await startEndpoint(({ operation }, response) => {
      response.writeHead(operation === 'message_created' ? status : 200).end('{}');
    });
    const bot = await newBot();
    const { client } = bot.workspace.owner;
    const { integration } = await client.createIntegration({ name: 'mail', version: '1.0.0', url: endpoint.url });
    await client.updateBot({ id: bot.id, integrations: { mail: { integrationId: integration.id } } });
    const { value } = await client.createIntegrationApiKey({ integrationId: integration.id });
    const mail = bot.clientOf(value, { integrationAlias: 'mail' });
    const { conversation } = await mail.createConversation({ channel: 'channel', tags: {} });
    const said = { conversationId: conversation.id, userId: bot.id, type: 'text', tags: {} };
    const say = async (text: string) => (await bot.client.createMessage({ ...said, payload: { text } })).message.id;
    const [one, two] = [await say('one'), await say('two')];
    const failureOf = async (id: string) => (await bot.client.getMessage({ id })).message.tags.deliveryFailure;
    await eventually(async () => expect(await failureOf(two)).toBeDefined());
    status = 200;

    const answer = await retry(bot, two);
    await settled();

    expect(answer).toMatchObject({ status: 200, body: {} });
    expect(textsOf('message_created')).toEqual(['one', 'two', 'two']);
    expect(await failureOf(two)).toBeUndefined();
    expect(await failureOf(one)).toBeDefined();
  });

  it('changes nothing while a delivery is in progress', async () => {
    const bot = await newBot();
    const { user } = await bot.client.createUser({ tags: {} });
    const id = await newFailedMessage(bot.id, await newConversation(bot), user.id);

    const [first, again] = [await retry(bot, id), await retry(bot, id)];

    expect([first, again].map(({ status }) => status)).toEqual([200, 200]);
  });

  it('returns 409 for a message without a failed delivery, and 404 for an unknown one', async () => {
    const bot = await newBot();
    const conversationId = await newConversation(bot);
    const said = { conversationId, userId: bot.id, type: 'text', payload: { text: 'a' }, tags: {} };
    const { message } = await bot.client.createMessage(said);

    const answers = [await retry(bot, message.id), await retry(bot, 'no-such')];

    expect(answers.map(({ status }) => status)).toEqual([409, 404]);
  });
});
