/** Tests that secret fields of configurations can be written, but not read. */
import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { startEndpoint } from '#test/support/endpoint.ts';
import { eventually, newWorkspace, type TestWorkspace, useSharedPlatform } from '#test/support/platform.ts';

useSharedPlatform();

const secret = { type: 'string', 'x-zui': { secret: true } };
const SCHEMA = {
  type: 'object',
  properties: { token: { ...secret, default: 'default-token' }, region: { type: 'string' } },
};
const OAUTH = { type: 'object', properties: { login: { type: 'object', properties: { refresh: secret } } } };

const newIntegration = async ({ owner }: TestWorkspace, version = '1.0.0', schema: object = SCHEMA) =>
  (
    await owner.client.createIntegration({
      name: 'telegram',
      version,
      configuration: { schema },
      configurations: { oauth: { schema: OAUTH } },
    })
  ).integration;

async function setUp() {
  const workspace = await newWorkspace();
  const integration = await newIntegration(workspace);
  const { bot } = await workspace.owner.client.createBot({});
  const encryptionKey = randomBytes(32).toString('base64');
  const configuration = { token: 'telegram-token', region: 'eu', encryptionKey };
  const change = (fields: object) =>
    workspace.call('PUT', `/bots/${bot.id}`, { body: { integrations: { telegram: fields } } });
  const installed = await change({ integrationId: integration.id, configuration });
  const get = async (token?: string) =>
    (await workspace.call('GET', `/bots/${bot.id}`, token ? { token } : {})).body.bot;
  /** Returns the configuration sent to the integration. */
  const sent = async () => {
    const { findBotWithDefinition } = await import('#shared/storage/dynamodb/bots/bots.ts');
    const found = await findBotWithDefinition(bot.id);
    return found!.definition.installations.telegram!.configuration;
  };
  return { workspace, integration, bot, change, get, sent, installed, encryptionKey };
}

describe('the configuration of an installation', () => {
  it('is hidden from viewers, and shown to others without its secrets', async () => {
    const { workspace, bot, get, installed, encryptionKey } = await setUp();
    const [viewer, developer] = [await workspace.join('viewer'), await workspace.join('developer')];

    const shown = [await get(viewer.token), await get(developer.token), await get(), installed.body.bot];

    expect(shown.map(each => each.integrations.telegram.configuration)).toEqual([
      {},
      { region: 'eu' },
      { region: 'eu' },
      { region: 'eu' },
    ]);
    for (const each of ['telegram-token', encryptionKey]) expect(JSON.stringify(shown)).not.toContain(each);
    expect(bot.id).toBe(shown[0].id);
  });

  it('keeps its secrets when a returned configuration is changed and written back', async () => {
    const { get, change, sent, encryptionKey } = await setUp();
    const { configuration } = (await get()).integrations.telegram;

    const { status } = await change({ configuration: { ...configuration, region: 'us' } });

    expect(status).toBe(200);
    expect(await sent()).toEqual({ token: 'telegram-token', encryptionKey, region: 'us' });
  });

  it('removes a secret that is written as null', async () => {
    const { change, sent } = await setUp();

    await change({ configuration: { region: 'eu', token: null, encryptionKey: null } });

    expect(await sent()).toEqual({ region: 'eu' });
  });

  it('drops all secrets when its type changes, and hides those of the new type', async () => {
    const { change, get, sent } = await setUp();

    await change({ configurationType: 'oauth' });
    expect(await sent()).toEqual({ region: 'eu' });
    await change({ configuration: { login: { user: 'ada', refresh: 'refresh-token' } } });

    expect((await get()).integrations.telegram.configuration).toEqual({ login: { user: 'ada' } });
  });

  it('stays hidden when a later schema removes the mark of a field', async () => {
    const { workspace, integration, get } = await setUp();

    await workspace.owner.client.updateIntegration({
      id: integration.id,
      configuration: { schema: { type: 'object', properties: { token: { type: 'string' } } } },
    });

    expect((await get()).integrations.telegram.configuration).toEqual({ region: 'eu' });
  });

  it('is kept for another version of the integration, including secrets', async () => {
    const { workspace, change, sent, get, encryptionKey } = await setUp();
    const next = await newIntegration(workspace, '2.0.0');
    const before = (await get()).integrations.telegram;

    const { body } = await change({ integrationId: next.id });

    expect(body.bot.integrations.telegram).toMatchObject({ id: next.id, webhookId: before.webhookId });
    expect(await sent()).toEqual({ token: 'telegram-token', region: 'eu', encryptionKey });
  });
});

describe('the configuration of a bot and its plugins', () => {
  it('is hidden from viewers, and shown to others without its secrets, even when the schema changes', async () => {
    const workspace = await newWorkspace();
    const viewer = await workspace.join('viewer');
    const { bot } = await workspace.owner.client.createBot({
      configuration: { schema: SCHEMA, data: { token: 'bot-token', region: 'eu' } },
    });
    const put = (body: object) => workspace.call('PUT', `/bots/${bot.id}`, { body });
    const plugin = { id: 'hitl', configuration: { apiKey: 'plugin-key' } };

    const updated = await put({ configuration: { schema: {}, data: { region: 'us' } }, plugins: { hitl: plugin } });
    const seen = await workspace.call('GET', `/bots/${bot.id}`, { token: viewer.token });

    expect(bot.configuration).toMatchObject({ data: { region: 'eu' } });
    expect(updated.body.bot.configuration).toEqual({ data: { region: 'us' }, schema: {} });
    expect(seen.body.bot.configuration.data).toEqual({});
    for (const each of ['bot-token', 'plugin-key']) expect(JSON.stringify(seen.body)).not.toContain(each);
    expect(JSON.stringify([bot, updated.body])).not.toContain('bot-token');
  });

  it('is sent to the bot in full with every delivery', async () => {
    const endpoint = await startEndpoint();
    const { owner } = await newWorkspace();
    const data = { token: 'bot-token', region: 'eu' };
    const { bot } = await owner.client.createBot({ configuration: { schema: SCHEMA, data } });

    await owner.client.updateBot({ id: bot.id, url: endpoint.url });

    const ping = await eventually(async () => {
      expect(endpoint.received).not.toEqual([]);
      return endpoint.received[0]!;
    });
    endpoint.stop();
    expect(JSON.parse(Buffer.from(String(ping.headers['x-bp-configuration']), 'base64').toString())).toEqual(data);
  });
});

describe('the schema of an integration', () => {
  it('is shown without the defaults of its secret fields', async () => {
    const { workspace, integration } = await setUp();

    const { body } = await workspace.call('GET', `/integrations/${integration.id}`);

    expect(body.integration.configuration.schema.properties.region).toEqual({ type: 'string' });
    expect(JSON.stringify(body)).not.toContain('default-token');
  });
});
