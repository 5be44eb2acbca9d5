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

  it('returns 400 for an unknown type', async () => {
    const bot = await newBot();

    const answer = await bot.call('GET', '/states?type=user');

    expect(answer).toMatchObject({ status: 400, body: { type: 'InvalidPayload' } });
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
