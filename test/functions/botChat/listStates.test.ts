/**
 * `listStates` shows states that belong to no record, so that those of uninstalled integrations can be found and
 * removed.
 */
import { describe, expect, it } from 'vitest';
import { newBot, type TestBot, useSharedPlatform } from '#test/support/platform.ts';
import { onceForgotten } from '#test/support/time.ts';

useSharedPlatform();

const list = async (bot: TestBot, { token, query = '' }: { token?: string; query?: string } = {}) => {
  const answer = await bot.call('GET', `/states${query}`, token === undefined ? {} : { token });
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer.body as { states: Record<string, unknown>[]; meta: { nextToken?: string } };
};

/** A bot with a state of the bot and one of its integration. */
async function setUp() {
  const bot = await newBot();
  await bot.client.setState({ type: 'bot', id: bot.id, name: 'mine', payload: { secret: 'of the bot' } });
  await bot.integration.setState({ type: 'integration', id: 'chat', name: 'session', payload: { secret: 'its own' } });
  return bot;
}
const uninstall = async (bot: TestBot) => {
  await bot.workspace.owner.client.updateBot({ id: bot.id, integrations: { chat: null } });
  return bot.webhookId;
};

describe('GET /v1/chat/states', () => {
  it('lists the states of the bot and of its integrations, without payloads', async () => {
    const bot = await setUp();

    const { states } = await list(bot);

    expect(states.map(({ type, name, ownerId, isInstalled }) => ({ type, name, ownerId, isInstalled }))).toEqual(
      expect.arrayContaining([
        { type: 'bot', name: 'mine', ownerId: bot.id, isInstalled: true },
        { type: 'integration', name: 'chat:session', ownerId: 'chat', isInstalled: true },
      ]),
    );
    expect(JSON.stringify(states)).not.toContain('secret');
  });

  it('lists the states of one type, page by page', async () => {
    const bot = await setUp();
    await bot.client.setState({ type: 'bot', id: bot.id, name: 'other', payload: {} });

    const ofBot = await list(bot, { query: '?type=bot&pageSize=1' });
    const rest = await list(bot, { query: `?type=bot&pageSize=1&nextToken=${ofBot.meta.nextToken}` });
    const ofIntegrations = await list(bot, { query: '?type=integration' });

    expect([...ofBot.states, ...rest.states].map(({ name }) => name)).toEqual(['mine', 'other']);
    expect(rest.meta).toEqual({});
    expect(ofIntegrations.states.map(({ name }) => name)).toEqual(['chat:session']);
  });

  it('shows an integration only its own states, under its own names', async () => {
    const bot = await setUp();

    const { states } = await list(bot, { token: bot.tokens.integration });

    expect(states.map(({ name, ownerId }) => [name, ownerId])).toEqual([['session', 'chat']]);
  });

  it('omits states of other bots', async () => {
    const [bot, stranger] = [await setUp(), await newBot()];

    expect((await list(stranger)).states).toEqual([]);
    expect((await bot.call('GET', '/states', { token: stranger.tokens.bot })).status).toBe(403);
  });

  it.each([
    ['an unknown type', '?type=table'],
    ['a type of records without an owner', '?type=user'],
    ['an owner of the type bot', '?type=bot&ownerId=x'],
    ['an owner without a type', '?ownerId=convo_x'],
  ])('returns 400 for %s', async (_, query) => {
    const bot = await newBot();

    const answer = await bot.call('GET', `/states${query}`);

    expect(answer).toMatchObject({ status: 400, body: { type: 'InvalidPayload' } });
  });
});

/** Creates an owner for each type of record. */
const OWNERS = {
  conversation: async (bot: TestBot) =>
    (await bot.client.createConversation({ channel: 'channel', tags: {} })).conversation.id,
  user: async (bot: TestBot) => (await bot.client.createUser({ tags: {} })).user.id,
  workflow: async (bot: TestBot) => (await bot.client.createWorkflow({ name: 'w', status: 'listening' })).workflow.id,
};
type OwnerType = keyof typeof OWNERS;

describe('GET /v1/chat/states?type=…&ownerId=…', () => {
  it.each(Object.keys(OWNERS) as OwnerType[])('lists the states of one %s, page by page', async type => {
    const bot = await newBot();
    const [id, other] = [await OWNERS[type](bot), await OWNERS[type](bot)];
    for (const name of ['cart', 'mood']) await bot.client.setState({ type, id, name, payload: { secret: name } });
    await bot.client.setState({ type, id: other, name: 'elsewhere', payload: {} });

    const first = await list(bot, { query: `?type=${type}&ownerId=${id}&pageSize=1` });
    const rest = await list(bot, {
      query: `?type=${type}&ownerId=${id}&pageSize=1&nextToken=${first.meta.nextToken}`,
    });

    expect(first.states[0]).toMatchObject({ type, name: 'cart', ownerId: id, isInstalled: true });
    expect(first.states[0]).not.toHaveProperty('payload');
    expect(rest.states.map(({ name }) => name)).toEqual(['mood']);
    expect(rest.meta).toEqual({});
  });

  it('omits expired states', async () => {
    const bot = await newBot();
    const id = await OWNERS.user(bot);
    await bot.client.setState({ type: 'user', id, name: 'brief', payload: {}, expiry: 1 });
    await bot.client.setState({ type: 'user', id, name: 'lasting', payload: {} });

    const { states } = await list(bot, { query: `?type=user&ownerId=${id}` });

    expect(states.map(({ name }) => name)).toEqual(['lasting']);
  });

  it('shows an integration only its own states of a conversation, under its own names', async () => {
    const bot = await newBot();
    const id = await OWNERS.conversation(bot);
    await bot.client.setState({ type: 'conversation', id, name: 'of-bot', payload: {} });
    await bot.integration.setState({ type: 'conversation', id, name: 'session', payload: {} });
    const query = `?type=conversation&ownerId=${id}`;

    const seenByBot = await list(bot, { query });
    const seenByIntegration = await list(bot, { token: bot.tokens.integration, query });

    expect(seenByBot.states.map(({ name }) => name)).toEqual(['chat:session', 'of-bot']);
    expect(seenByIntegration.states.map(({ name }) => name)).toEqual(['session']);
  });

  it.each(Object.keys(OWNERS) as OwnerType[])('returns 404 for a %s that does not exist', async type => {
    const [bot, stranger] = [await newBot(), await newBot()];
    const id = await OWNERS[type](stranger);

    const answers = await Promise.all([
      bot.call('GET', `/states?type=${type}&ownerId=${id}`),
      bot.call('GET', `/states?type=${type}&ownerId=nobody`),
    ]);

    expect(answers.map(({ status }) => status)).toEqual([404, 404]);
  });
});

describe('states of an uninstalled integration', () => {
  it('lets the bot and its members list and remove states, but neither read nor change them', async () => {
    const bot = await setUp();
    const webhookId = await uninstall(bot);
    const path = `/states/integration/${webhookId}/chat:session`;

    const { states } = await list(bot, { query: '?type=integration' });
    expect(states).toEqual([expect.objectContaining({ name: 'chat:session', ownerId: webhookId, isInstalled: false })]);
    const member = { token: bot.workspace.owner.token };
    const change = (method: string, below: string, body: object) => bot.call(method, `${path}${below}`, { body });
    await onceForgotten(async () => expect((await change('PATCH', '', { payload: {} })).status).toBe(403));
    const changes = await Promise.all([
      change('POST', '', { payload: { a: 1 } }),
      change('PATCH', '', { payload: { a: 1 } }),
      change('POST', '/get-or-set', { payload: { a: 1 } }),
      change('POST', '/expiry', { expiry: 1_000 }),
    ]);
    expect(changes.map(({ status }) => status)).toEqual([403, 403, 403, 403]);
    const read = await bot.call('GET', path, member);
    const removed = await bot.call('POST', path, { ...member, body: { payload: null } });

    expect(read.status).toBe(403);
    expect(removed.status).toBe(200);
    expect((await list(bot, { query: '?type=integration' })).states).toEqual([]);
    expect((await bot.call('GET', path)).status).toBe(404);
  });

  it('is neither created for unknown installations nor accessible to another integration', async () => {
    const bot = await setUp();
    const webhookId = await uninstall(bot);
    const never = '00000000-0000-4000-8000-000000000000';

    const made = await bot.call('POST', `/states/integration/${never}/x`, { body: { payload: {} } });
    const { owner } = bot.workspace;
    const { integration } = await owner.client.createIntegration({ name: 'telegram', version: '1.0.0' });
    await owner.client.updateBot({ id: bot.id, integrations: { telegram: { integrationId: integration.id } } });
    const { value: token } = await owner.client.createIntegrationApiKey({ integrationId: integration.id });
    await onceForgotten(async () => expect((await list(bot, { token })).states).toEqual([]));
    const taken = await bot.call('GET', `/states/integration/${webhookId}/chat:session`, { token });

    expect([made.status, taken.status]).toEqual([404, 404]);
  });
});
