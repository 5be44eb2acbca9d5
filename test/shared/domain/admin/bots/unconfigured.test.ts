import { afterEach, describe, expect, it } from 'vitest';
import { startEndpoint, type TestEndpoint } from '#test/support/endpoint.ts';
import { installIntegration } from '#test/support/integration.ts';
import {
  apiBaseUrl,
  Client,
  eventually,
  isLeftOut,
  newWorkspace,
  settled,
  useSharedPlatform,
} from '#test/support/platform.ts';

useSharedPlatform();

const endpoints: TestEndpoint[] = [];
afterEach(() => {
  for (const each of endpoints.splice(0)) each.stop();
});

async function endpoint() {
  const made = await startEndpoint((_, response) => response.end(JSON.stringify({ output: {} })));
  endpoints.push(made);
  return made;
}

const clientOf = (token: string, botId: string) => new Client({ apiUrl: apiBaseUrl(), token, botId });

const NEEDS_TOKEN = {
  type: 'object',
  properties: { token: { type: 'string', minLength: 2 }, account: { type: 'string' }, note: { type: 'string' } },
  required: ['token', 'account'],
  additionalProperties: false,
};
const COMPLETE = { token: 'secret', account: 'ada' };
const action = { input: { schema: { type: 'object' } }, output: { schema: { type: 'object' } } };
const definition = {
  configuration: { schema: NEEDS_TOKEN },
  actions: { order: action },
  channels: { table: { messages: {} } },
};

async function unconfigured(installing: Record<string, unknown> = {}) {
  const { url, received } = await endpoint();
  const operations = () => received.map(({ operation }) => operation);
  const installed = await installIntegration({ url, ...definition }, { installing });
  const { client } = installed.workspace.owner;
  const change = async (pizza: Record<string, unknown>) =>
    (await client.updateBot({ id: installed.botId, integrations: { pizza } })).bot.integrations.pizza!;
  return { ...installed, operations, client, change };
}

const REASON = 'The configuration lacks token, account. Set them in the console or with updateBot.';
const INCOMPLETE = {
  enabled: true,
  status: 'registration_failed',
  statusReason: REASON,
  missingConfiguration: ['token', 'account'],
};

// A deployed function cannot reach this process.
describe.skipIf(isLeftOut('faults'))('an installation that lacks its configuration', () => {
  it.each([{}, { configuration: {} }])(
    'is stored without a call to the endpoint, and names what is missing: %j',
    async installing => {
      const { installation, client, botId, operations } = await unconfigured(installing);

      const { bot } = await client.getBot({ id: botId });

      expect(installation).toMatchObject(INCOMPLETE);
      expect(bot.integrations.pizza).toMatchObject(INCOMPLETE);
      expect(operations()).toEqual([]);
    },
  );

  it('is deployed with the rest of the bot, which works', async () => {
    const { url } = await endpoint();
    const workspace = await newWorkspace();
    const { client } = workspace.owner;
    const made = (name: string, more: object) => client.createIntegration({ name, version: '1.0.0', url, ...more });
    const [needy, other] = [await made('needy', definition), await made('other', {})];
    const { bot } = await client.createBot({});

    const answer = await client.updateBot({
      id: bot.id,
      name: 'Deployed',
      integrations: {
        needy: { integrationId: needy.integration.id },
        other: { integrationId: other.integration.id },
      },
    });

    expect(answer.bot).toMatchObject({
      name: 'Deployed',
      integrations: { needy: INCOMPLETE, other: { status: 'registered', statusReason: null } },
    });
  });

  it('is registered when it is configured, and keeps its webhook', async () => {
    const { change, webhookId, operations } = await unconfigured();

    const partly = await change({ configuration: { token: 'secret' } });
    const configured = await change({ configuration: COMPLETE });

    expect(partly).toMatchObject({ status: 'registration_failed', missingConfiguration: ['account'] });
    expect(configured).toMatchObject({ status: 'registered', statusReason: null, webhookId });
    expect(configured).not.toHaveProperty('missingConfiguration');
    expect(operations()).toEqual(['register']);
  });

  it('returns an error that names the fix to actions, to records created in it and to its integration', async () => {
    const { botId, botKey, integrationKey, operations } = await unconfigured();
    const bot = clientOf(botKey, botId);
    const integration = clientOf(integrationKey, botId);

    const errors = await Promise.all([
      bot.callAction({ type: 'pizza:order', input: {} }).catch(error => error),
      bot.createConversation({ channel: 'table', tags: {}, integrationName: 'pizza' }).catch(error => error),
      bot.createUser({ tags: {}, integrationName: 'pizza' }).catch(error => error),
      integration.createUser({ tags: {} }).catch(error => error),
    ]);

    expect(errors.map(({ code, type }) => `${code} ${type}`)).toEqual([
      '400 Runtime',
      '400 Runtime',
      '400 Runtime',
      '403 Forbidden',
    ]);
    for (const { message } of errors) expect(message).toBe(`The integration pizza is not configured. ${REASON}`);
    expect(operations()).toEqual([]);
  });

  it('returns 400 to callers of its webhook, without the names of fields', async () => {
    const { webhookUrl, change, operations } = await unconfigured();

    const early = await fetch(webhookUrl, { method: 'POST', body: '{}' });
    await change({ configuration: COMPLETE });
    const late = await fetch(webhookUrl, { method: 'POST', body: '{}' });

    const { type, message } = (await early.json()) as { type: string; message: string };
    expect([early.status, type, late.status]).toEqual([400, 'Runtime', 200]);
    expect(message).toContain('not configured');
    expect(message).not.toContain('token');
    expect(operations()).toEqual(['register', 'webhook_received']);
  });

  it('leaves records without a named integration to the other installations', async () => {
    const { botId, botKey, change } = await unconfigured();

    const { user } = await clientOf(botKey, botId).createUser({ tags: { plain: '1' } });
    await change({ configuration: COMPLETE });
    const later = await clientOf(botKey, botId).createUser({ tags: { plain: '2' } });

    expect([user.tags, later.user.tags]).toEqual([{ plain: '1' }, { plain: '2' }]);
  });

  it('fails the deliveries of its conversations with the reason, and sends them when it is configured', async () => {
    const { botId, botKey, client, change, operations } = await unconfigured({ configuration: COMPLETE });
    const bot = clientOf(botKey, botId);
    const { conversation } = await bot.createConversation({ channel: 'table', tags: {}, integrationName: 'pizza' });
    await change({ enabled: false, configuration: { token: 'secret' } });
    const reenabled = await change({ enabled: true });
    const say = (text: string) =>
      bot.createMessage({ conversationId: conversation.id, userId: botId, type: 'text', payload: { text }, tags: {} });

    await say('unheard');
    await eventually(async () => {
      const { logs } = await client.getBotLogs({ id: botId, timeStart: new Date(0).toISOString() });
      expect(logs.map(({ message }) => message)).toContainEqual(expect.stringContaining('lacks account'));
    });
    await change({ configuration: COMPLETE });
    await say('heard');

    expect(reenabled).toMatchObject({ status: 'registration_failed', missingConfiguration: ['account'] });
    await eventually(async () => expect(operations().filter(each => each === 'message_created')).toHaveLength(1));
  });

  it('names what is missing while it is disabled, and is registered when it is enabled and configured', async () => {
    const { installation, change, operations } = await unconfigured({ enabled: false });

    const enabled = await change({ enabled: true });
    const configured = await change({ configuration: COMPLETE });

    expect(installation).toMatchObject({ status: 'unregistered', statusReason: REASON, enabled: false });
    expect(enabled).toMatchObject(INCOMPLETE);
    expect(configured).toMatchObject({ status: 'registered' });
    expect(operations()).toEqual(['register']);
  });

  it('is not unregistered when it is uninstalled, or with its bot', async () => {
    const { botId, client, operations } = await unconfigured();
    const { integrations } = (await client.getBot({ id: botId })).bot;

    await client.updateBot({ id: botId, integrations: { pizza: null } });
    await client.updateBot({ id: botId, integrations: { again: { integrationId: integrations.pizza!.id } } });
    await client.deleteBot({ id: botId });

    await settled();
    expect(operations()).toEqual([]);
  });
});

describe.skipIf(isLeftOut('faults'))('a configured installation', () => {
  it('keeps its configuration when the bot is deployed with an empty one', async () => {
    const { change, operations } = await unconfigured({ configuration: { ...COMPLETE, note: 'n' } });

    const deployed = await change({ configuration: {} });

    expect(deployed).toMatchObject({ status: 'registered', configuration: { ...COMPLETE, note: 'n' } });
    expect(operations()).toEqual(['register', 'register']);
  });

  it('returns 400 for a configuration or another version that would stop it, and keeps working', async () => {
    const { workspace, client, botId, url, name } = await installedNamed();
    const { integration: next } = await client.createIntegration({
      name,
      version: '2.0.0',
      url,
      configuration: { schema: { ...NEEDS_TOKEN, required: ['token', 'account', 'note'] } },
    });
    const put = (pizza: unknown) => workspace.call('PUT', `/bots/${botId}`, { body: { integrations: { pizza } } });

    const answers = [await put({ configuration: { token: 'secret' } }), await put({ integrationId: next.id })];

    expect(answers.map(({ status, body }) => `${status} ${body.metadata?.issues[0].path}`)).toEqual([
      '400 integrations.pizza.configuration.account',
      '400 integrations.pizza.configuration.note',
    ]);
    const { bot } = await client.getBot({ id: botId });
    expect(bot.integrations.pizza).toMatchObject({ status: 'registered', configuration: COMPLETE, version: '1.0.0' });
  });
});

async function installedNamed() {
  const { url } = await endpoint();
  const installed = await installIntegration({ url, ...definition }, { installing: { configuration: COMPLETE } });
  return { ...installed, url, client: installed.workspace.owner.client, name: installed.installation.name };
}
