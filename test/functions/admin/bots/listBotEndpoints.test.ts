import { afterEach, describe, expect, it } from 'vitest';
import { type DeadEndpoint, newDeadEndpoint } from '#test/support/deadEndpoint.ts';
import { pass, SECOND_MS, talk } from '#test/support/deliveries.ts';
import { startEndpoint } from '#test/support/endpoint.ts';
import { isLeftOut, newBot, newWorkspace, settled, type TestBot, useSharedPlatform } from '#test/support/platform.ts';

useSharedPlatform();

const endpoints: Pick<DeadEndpoint, 'stop'>[] = [];
afterEach(() => {
  for (const each of endpoints.splice(0)) each.stop();
});

async function botAt(url: string) {
  const bot = await newBot();
  await bot.workspace.owner.client.updateBot({ id: bot.id, url });
  return bot;
}

async function newDead() {
  const dead = await newDeadEndpoint();
  endpoints.push(dead);
  return dead;
}

const endpointsOf = async (bot: TestBot) =>
  (await bot.workspace.call('GET', `/bots/${bot.id}/endpoints`)).body.endpoints;
const listed = async (bot: TestBot) =>
  (await bot.workspace.call('GET', '/bots')).body.bots.find((each: { id: string }) => each.id === bot.id).endpoint;

// A deployed function cannot reach this process.
describe.skipIf(isLeftOut('faults'))('GET /v1/admin/bots/{id}/endpoints', () => {
  it('shows that a bot has neither a url nor code', async () => {
    const bot = await newBot();

    expect(await endpointsOf(bot)).toEqual([{ status: 'missing', failedAttempts: 0, pausedConversations: 0 }]);
    expect(await listed(bot)).toEqual({ status: 'missing' });
  });

  it('shows since when an endpoint is unreachable, why, and what waits for it', async () => {
    const dead = await newDead();
    const bot = await botAt(dead.url);
    for (const { say } of [await talk(bot), await talk(bot)]) await say('hello');
    await settled();

    const [endpoint] = await endpointsOf(bot);

    expect(endpoint).toMatchObject({ status: 'unreachable', pausedConversations: 2 });
    // One or two: the second conversation waits if the first failure was recorded before its call.
    expect(endpoint.failedAttempts).toBeGreaterThan(0);
    expect(endpoint.lastError).toContain('could not be called');
    expect(Date.parse(endpoint.nextAttemptAt)).toBeGreaterThan(Date.parse(endpoint.since));
    expect(await listed(bot)).toEqual({ status: 'unreachable', since: endpoint.since });
  });

  it('shows an endpoint as healthy after it received the deliveries', async () => {
    const dead = await newDead();
    const bot = await botAt(dead.url);
    await (await talk(bot)).say('hello');
    await settled();
    await dead.start();

    await pass(60 * SECOND_MS, 10 * SECOND_MS);

    expect(await endpointsOf(bot)).toEqual([{ status: 'healthy', failedAttempts: 0, pausedConversations: 0 }]);
    expect(await listed(bot)).toEqual({ status: 'healthy' });
  });

  it('shows an endpoint that responds with errors as failing', async () => {
    const broken = await startEndpoint((_, response) => void response.writeHead(500).end('{}'));
    endpoints.push(broken);
    const bot = await botAt(broken.url);
    await (await talk(bot)).say('hello');
    await settled();

    const [endpoint] = await endpointsOf(bot);

    expect(endpoint).toMatchObject({ status: 'failing', failedAttempts: 1, pausedConversations: 1 });
    expect(endpoint.lastError).toContain('returned 500');
  });

  it('resets the state when the url changes', async () => {
    const [dead, other] = [await newDead(), await startEndpoint()];
    endpoints.push(other);
    const bot = await botAt(dead.url);
    await (await talk(bot)).say('hello');
    await settled();

    await bot.workspace.owner.client.updateBot({ id: bot.id, url: other.url });
    await pass(60 * SECOND_MS, 10 * SECOND_MS);

    expect(await endpointsOf(bot)).toMatchObject([{ status: 'healthy' }]);
  });

  it('shows the endpoint of each enabled installation, and none for chats', async () => {
    const dead = await newDead();
    const bot = await newBot();
    const { client } = bot.workspace.owner;
    const { integration } = await client.createIntegration({ name: 'mail', version: '1.0.0', url: dead.url });
    await client.updateBot({ id: bot.id, integrations: { mail: { integrationId: integration.id } } });
    const { value } = await client.createIntegrationApiKey({ integrationId: integration.id });
    const mail = bot.clientOf(value, { integrationAlias: 'mail' });
    const { conversation } = await mail.createConversation({ channel: 'channel', tags: {} });
    const said = { conversationId: conversation.id, userId: bot.id, type: 'text', tags: {} };
    await bot.client.createMessage({ ...said, payload: { text: 'hello' } });
    await settled();

    const found = await endpointsOf(bot);

    expect(found).toMatchObject([
      { status: 'missing' },
      { integrationAlias: 'mail', status: 'unreachable', pausedConversations: 1 },
    ]);
  });

  it('returns 404 for a bot of another workspace, and hides endpoints from agents', async () => {
    const bot = await newBot();
    const other = await newWorkspace();
    const { token } = await bot.workspace.join('agent');

    const answers = [
      await other.call('GET', `/bots/${bot.id}/endpoints`),
      await bot.workspace.call('GET', `/bots/${bot.id}/endpoints`, { token }),
    ];
    const list = await bot.workspace.call('GET', '/bots', { token });

    expect(answers.map(({ status }) => status)).toEqual([404, 403]);
    expect(list.body.bots.map((each: object) => 'endpoint' in each)).toContain(false);
    expect(list.body.bots.map((each: object) => 'endpoint' in each)).not.toContain(true);
  });
});
