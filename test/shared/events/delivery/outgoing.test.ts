/** Tests the delivery of outbound messages to an integration's endpoint. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { clock } from '#shared/core/clock.ts';
import { VARIABLES } from '#shared/core/environment.ts';
import { findEndpointState } from '#shared/storage/dynamodb/delivery/endpointState.ts';
import { hasPausedConversations } from '#shared/storage/dynamodb/delivery/pausedConversations.ts';
import { partitionQuery, queryPage } from '#shared/storage/dynamodb/engine/query.ts';
import { endpointPk, pausedPk } from '#shared/storage/dynamodb/keys/deliveries.ts';
import { destinationOf } from '#shared/storage/dynamodb/partitioning/destinations.ts';
import { startEndpoint, type TestEndpoint } from '#test/support/endpoint.ts';
import { installIntegration, type Server, serveIntegration } from '#test/support/integration.ts';
import {
  apiBaseUrl,
  Client,
  eventually,
  isLeftOut,
  newBot,
  newUser,
  settled,
  useSharedPlatform,
} from '#test/support/platform.ts';

useSharedPlatform();

const stopped: { stop(): void }[] = [];
beforeEach(() => {
  process.env[VARIABLES.firstPauseMs] = '1';
});
afterEach(() => {
  for (const each of stopped.splice(0)) each.stop();
  delete process.env[VARIABLES.firstPauseMs];
});

const DEFINITION = { channels: { table: { messages: {} }, takeaway: { messages: {} } } };
type Answer = Parameters<typeof startEndpoint>[0];

/** Creates a bot with an integration at an endpoint, a guest of the integration, and their conversation. */
async function scene(url: string, installing?: Record<string, unknown>) {
  const installed = await installIntegration({ url, ...(DEFINITION as object) }, { installing });
  const { botId, botKey, integrationKey, integrationId, webhookId } = installed;
  const bot = new Client({ apiUrl: apiBaseUrl(), token: botKey, botId });
  const integration = new Client({
    apiUrl: apiBaseUrl(),
    token: integrationKey,
    botId,
    integrationId,
    integrationAlias: 'pizza',
  });
  process.env.BP_TOKEN = integrationKey;
  const { user } = await integration.getOrCreateUser({ tags: { id: '7' }, name: 'Guest' });
  const { conversation } = await integration.getOrCreateConversation({ channel: 'table', tags: { id: '3' } });
  const say = async (text: string, conversationId = conversation.id) =>
    (await bot.createMessage({ conversationId, userId: botId, type: 'text', payload: { text }, tags: {} })).message;
  const { client: admin } = installed.workspace.owner;
  return {
    ...installed,
    bot,
    integration,
    admin,
    user,
    conversation,
    say,
    destination: destinationOf(botId, webhookId),
  };
}

async function endpointOf(answer?: Answer) {
  const endpoint = await startEndpoint(answer);
  stopped.push(endpoint);
  return endpoint;
}

const deliveredTo = ({ received }: TestEndpoint, operation = 'message_created') =>
  received.filter(each => each.operation === operation).map(({ body }) => body);
const textsOf = (endpoint: TestEndpoint) => deliveredTo(endpoint).map(({ payload }) => payload.text as string);

/** Responds to one operation with a status, and to all others with 200. */
const answering =
  (operation: string, statusOf: () => number, text = '{}'): Answer =>
  (asked, response) =>
    void response
      .writeHead(asked.operation === operation ? statusOf() : 200)
      .end(asked.operation === operation ? text : '{}');

// A deployed function cannot reach this process.
describe.skipIf(isLeftOut('faults'))('a message of the bot in a conversation of an integration', () => {
  it('is delivered to an SDK integration, whose acknowledgement is not sent back', async () => {
    // biome-ignore lint/suspicious/noExplicitAny: the SDK's types need a generated definition
    const heard: any[] = [];
    const operations: string[] = [];
    const server: Server = await serveIntegration({
      __advanced: {
        unknownOperationHandler: async ({ ctx }: { ctx: { operation: string } }) => void operations.push(ctx.operation),
      },
      channels: {
        table: {
          messages: {
            // biome-ignore lint/suspicious/noExplicitAny: likewise
            text: async (props: any) => {
              heard.push(props);
              await props.ack({ tags: { id: `provider-${props.payload.text}` } });
            },
          },
        },
      },
    });
    stopped.push(server);
    const { bot, botId, conversation, say, integration, integrationId, webhookId } = await scene(server.url);
    await integration.updateUser({ id: botId, tags: { account: '9' } });

    const message = await say('1');
    await say('2');

    await eventually(async () => {
      const { messages } = await bot.listMessages({ conversationId: conversation.id });
      expect(messages.map(({ tags }) => tags)).toEqual([{ 'pizza:id': 'provider-2' }, { 'pizza:id': 'provider-1' }]);
    });
    await settled();
    expect(heard.map(({ payload }) => payload.text)).toEqual(['1', '2']);
    expect(heard[0]).toMatchObject({
      ctx: {
        botId,
        botUserId: botId,
        integrationId,
        webhookId,
        integrationAlias: 'pizza',
        operation: 'message_created',
      },
      type: 'text',
      payload: { text: '1' },
      user: { id: botId, tags: { account: '9' } },
      conversation: { id: conversation.id, channel: 'table', tags: { id: '3' } },
      message: { id: message.id, direction: 'outgoing', type: 'text', payload: { text: '1' }, userId: botId },
    });
    expect(operations.filter(operation => operation.endsWith('_updated'))).toEqual([]);
  });

  it('is signed, and is not an event of the bot', async () => {
    const endpoint = await endpointOf();
    const { bot, say } = await scene(endpoint.url);

    await say('1');

    await eventually(async () => expect(textsOf(endpoint)).toEqual(['1']));
    const { headers } = endpoint.received.find(({ operation }) => operation === 'message_created')!;
    expect(headers).toMatchObject({
      'webhook-signature': expect.stringMatching(/^v1,/),
      'x-bp-type': 'message_created',
    });
    expect((await bot.listEvents({})).events).toEqual([]);
    await expect(bot.getEvent({ id: String(headers['webhook-id']) })).rejects.toMatchObject({ code: 404 });
  });

  it('names the user on whose behalf the bot or a member sends it', async () => {
    const endpoint = await endpointOf();
    const { bot, workspace, botId, conversation, user } = await scene(endpoint.url);
    const { token } = workspace.owner;
    const member = new Client({ apiUrl: apiBaseUrl(), token, botId, workspaceId: workspace.id });

    const input = { conversationId: conversation.id, type: 'text', tags: {} };
    await bot.createMessage({ ...input, userId: user.id, payload: { text: 'as guest' } });
    await member.createMessage({ ...input, userId: botId, payload: { text: 'by a member' } });

    await eventually(async () => expect(textsOf(endpoint)).toEqual(['as guest', 'by a member']));
    expect(deliveredTo(endpoint).map(each => each.user.id)).toEqual([user.id, botId]);
  });

  it("is not delivered if it is the integration's own, imported, in a disabled channel, or in a chat conversation", async () => {
    const endpoint = await endpointOf();
    const { bot, botId, integration, conversation, user, say } = await scene(endpoint.url, {
      disabledChannels: ['takeaway'],
    });
    const chatBot = await newBot();
    const { client: chatUser } = await newUser(chatBot);
    const chatting = await chatUser.createConversation({});
    const other = await integration.getOrCreateConversation({ channel: 'takeaway', tags: { id: '4' } });
    const input = { conversationId: conversation.id, type: 'text', tags: {} };

    await integration.createMessage({ ...input, userId: user.id, payload: { text: 'incoming' } });
    await integration.createMessage({ ...input, userId: botId, payload: { text: 'echo' } });
    const createdAt = new Date(clock.now() - 60_000).toISOString();
    await bot.importMessages({
      messages: [{ ...input, userId: botId, payload: { text: 'old' }, createdAt, discriminateByTags: [] }],
    });
    await say('not delivered there', other.conversation.id);
    await chatBot.client.createMessage({
      ...input,
      conversationId: chatting.conversation.id,
      userId: chatBot.id,
      payload: { text: 'chat' },
    });
    await say('last');

    await eventually(async () => expect(textsOf(endpoint)).toEqual(['last']));
    await settled();
    expect(textsOf(endpoint)).toEqual(['last']);
  });
});

describe.skipIf(isLeftOut('faults'))('a change by the bot', () => {
  it('is delivered with old and new values, in order, unless the integration made it', async () => {
    const endpoint = await endpointOf();
    const { bot, integration, conversation, say } = await scene(endpoint.url);
    const { id } = await say('1');
    // A delivery contains the message's content at delivery time.
    await eventually(async () => expect(textsOf(endpoint)).toEqual(['1']));

    await bot.updateMessage({ id, tags: { 'pizza:state': 'baked' } });
    await integration.updateMessage({ id, tags: { own: 'yes' } });
    await bot.updateMessage({ id, tags: {}, payload: { text: '2' } });
    await integration.updateConversation({ id: conversation.id, tags: { own: 'yes' } });
    await bot.updateConversation({ id: conversation.id, tags: { 'pizza:size': 'large' } });
    await say('3');

    await eventually(async () => expect(textsOf(endpoint)).toEqual(['1', '3']));
    const delivered = endpoint.received.filter(({ operation }) => /^(?:message|conversation)_/.test(operation));
    expect(delivered.map(({ operation }) => operation)).toEqual([
      'message_created',
      'message_updated',
      'message_updated',
      'conversation_updated',
      'message_created',
    ]);
    const [, tagged, reworded, moved] = delivered.map(({ body }) => body);
    expect(tagged).toMatchObject({
      type: 'text',
      payload: { text: '1' },
      conversation: { channel: 'table' },
      user: {},
      currentMessage: { id, tags: { state: 'baked' }, payload: { text: '1' } },
      previousMessage: { id, tags: {}, payload: { text: '1' } },
    });
    expect(reworded).toMatchObject({
      payload: { text: '2' },
      currentMessage: { tags: { state: 'baked', own: 'yes' }, payload: { text: '2' } },
      previousMessage: { tags: { state: 'baked', own: 'yes' }, payload: { text: '1' } },
    });
    expect(moved).toEqual({
      currentConversation: expect.objectContaining({
        id: conversation.id,
        tags: { id: '3', own: 'yes', size: 'large' },
      }),
      previousConversation: expect.objectContaining({ tags: { id: '3', own: 'yes' } }),
    });
  });

  it('is ignored without a failure by an integration with an older SDK', async () => {
    const server = await serveIntegration({ channels: { table: { messages: { text: async () => {} } } } });
    stopped.push(server);
    const { bot, admin, botId, say } = await scene(server.url);
    const { id } = await say('1');
    await bot.updateMessage({ id, tags: { 'pizza:state': 'baked' } });

    await settled();

    const { logs } = await admin.getBotLogs({ id: botId, timeStart: new Date(clock.now() - 60_000).toISOString() });
    expect(logs.filter(({ message }) => /message_/.test(message))).toEqual([]);
    expect((await bot.getMessage({ id })).message.tags).toEqual({ 'pizza:state': 'baked' });
  });
});

describe.skipIf(isLeftOut('faults'))('a message that the integration rejects', () => {
  it('is in the bot’s log and an event that the bot subscribes to, and is sent again by a replay', async () => {
    let status = 400;
    const refusal = JSON.stringify({ code: 400, type: 'Runtime', message: 'No such table.' });
    const endpoint = await endpointOf(answering('message_created', () => status, refusal));
    const ofBot = await endpointOf();
    const { bot, admin, botId, say, workspace } = await scene(endpoint.url);
    await admin.updateBot({ id: botId, url: ofBot.url, subscriptions: { events: { message_delivery_failed: {} } } });

    const { id } = await say('1');
    const next = await say('2');

    await eventually(async () =>
      expect((await bot.getMessage({ id })).message.tags).toEqual({ deliveryFailure: 'No such table.' }),
    );
    await eventually(async () => expect(ofBot.events()).toHaveLength(2));
    expect(ofBot.events()[0]).toMatchObject({
      type: 'message_delivery_failed',
      messageId: id,
      payload: { messageId: id, operation: 'message_created', reason: 'No such table.' },
    });
    const timeStart = new Date(clock.now() - 60_000).toISOString();
    await eventually(async () => {
      const { logs } = await admin.getBotLogs({ id: botId, timeStart });
      expect(logs.map(({ message }) => message).join()).toMatch(
        `message_created of ${id} to the integration failed: No such`,
      );
    });
    expect(textsOf(endpoint)).toEqual(['1', '2']);
    status = 200;
    const answer = await workspace.call('POST', `/bots/${botId}/events/replay`, { body: {} });
    expect(answer.body).toEqual({ replayed: 2 });
    await eventually(async () => expect(textsOf(endpoint)).toEqual(['1', '2', '1', '2']));
    await eventually(async () => expect((await bot.getMessage({ id: next.id })).message.tags).toEqual({}));
    expect((await bot.getMessage({ id })).message.tags).toEqual({});
  });
});

describe.skipIf(isLeftOut('faults'))('destinations', () => {
  it('does not delay another destination or reorder pending messages', { timeout: 60_000 }, async () => {
    let isDown = true;
    const endpoint = await endpointOf(answering('message_created', () => (isDown ? 503 : 200)));
    const ofBot = await endpointOf(answering('event_received', () => (isDown ? 200 : 503)));
    const { admin, botId, integration, conversation, user, say, destination } = await scene(endpoint.url);
    await admin.updateBot({ id: botId, url: ofBot.url });
    const guestSays = (text: string) =>
      integration.createMessage({
        conversationId: conversation.id,
        userId: user.id,
        type: 'text',
        payload: { text },
        tags: {},
      });
    const heardByBot = () => ofBot.events().map(({ payload }) => payload.message.payload.text);

    // The integration is down.
    for (const text of ['1', '2', '3']) await say(text);
    await guestSays('a');
    await eventually(async () => expect(heardByBot()).toEqual(['a']));
    await eventually(async () => expect(await hasPausedConversations(destination)).toBe(true));
    expect(await hasPausedConversations(botId)).toBe(false);
    await eventually(async () => {
      const { breaker } = await findEndpointState(destination, endpoint.url, {
        nowMs: clock.now(),
        isConsistent: true,
      });
      expect(breaker?.failures).toBeGreaterThanOrEqual(1);
    });
    isDown = false;
    await eventually(async () => expect(await hasPausedConversations(destination)).toBe(false), 30_000);
    const distinct = textsOf(endpoint).filter((text, i, all) => text !== all[i - 1]);
    expect(distinct).toEqual(['1', '2', '3']);

    // Stops the bot's endpoint.
    await guestSays('b');
    await say('4');
    await eventually(async () => expect(textsOf(endpoint).at(-1)).toBe('4'));
    await eventually(async () => expect(await hasPausedConversations(botId)).toBe(true));
    expect(await hasPausedConversations(destination)).toBe(false);
  });

  it('is retried immediately and in order at a new url of the integration', { timeout: 60_000 }, async () => {
    // Exceeds the duration of the test.
    process.env[VARIABLES.firstPauseMs] = '600000';
    const bad = await endpointOf(answering('message_created', () => 503));
    const good = await endpointOf(answering('message_created', () => 200));
    const { admin, integrationId, say, destination } = await scene(bad.url);
    for (const text of ['1', '2', '3']) await say(text);
    await eventually(async () => expect(await hasPausedConversations(destination)).toBe(true));
    await settled();

    await admin.updateIntegration({ id: integrationId, url: good.url });

    await eventually(async () => expect(textsOf(good)).toEqual(['1', '2', '3']), 20_000);
    await eventually(async () => expect(await hasPausedConversations(destination)).toBe(false));
    expect(textsOf(bad)).toEqual(['1']);
  });

  it('ends with the installation, and is deleted with the bot', { timeout: 60_000 }, async () => {
    const endpoint = await endpointOf(answering('message_created', () => 503));
    const { admin, bot, botId, say, destination } = await scene(endpoint.url);
    const { id } = await say('1');
    await eventually(async () => expect(await hasPausedConversations(destination)).toBe(true));

    await admin.updateBot({ id: botId, integrations: { pizza: { enabled: false } } });
    await eventually(async () => expect(await hasPausedConversations(destination)).toBe(false), 30_000);
    const before = deliveredTo(endpoint).length;
    await say('2');
    await settled();
    expect(deliveredTo(endpoint)).toHaveLength(before);
    expect((await bot.getMessage({ id })).message.tags).toEqual({});

    await admin.updateBot({ id: botId, integrations: { pizza: { enabled: true } } });
    await say('3');
    await eventually(async () => expect(await hasPausedConversations(destination)).toBe(true));
    await admin.deleteBot({ id: botId });
    await eventually(async () => {
      expect((await queryPage(partitionQuery(pausedPk(botId)))).items).toEqual([]);
      expect((await queryPage(partitionQuery(endpointPk(destination)))).items).toEqual([]);
    }, 30_000);
  });
});
