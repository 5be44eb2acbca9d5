/** Tests that an integration without a url is called in deployed code. */
import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { clock } from '#shared/core/clock.ts';
import { invokeFunction } from '#shared/outbound/lambda/functions.ts';
import { findIntegration } from '#shared/storage/dynamodb/integrations/integrations.ts';
import { apiBaseUrl, Client, call, eventually, newWorkspace, useSharedPlatform } from '#test/support/platform.ts';

useSharedPlatform();

const CODE = `
  let registeredWith;
  exports.handler = async ({ headers, body }) => {
    const input = JSON.parse(body);
    switch (headers['x-bp-operation']) {
      case 'register': {
        if (process.env.SECRET_TOKEN !== 'right') throw Object.assign(new Error('The token is wrong.'), { status: 400 });
        console.log('registered with', input.webhookUrl);
        return {};
      }
      case 'create_user':
      case 'create_conversation': {
        const kind = headers['x-bp-operation'].slice('create_'.length);
        console.log('asked for a', kind);
        return { body: JSON.stringify({ [kind]: { id: input.tags.id } }) };
      }
      case 'action_triggered': return { body: JSON.stringify({ output: { sum: input.input.a + input.input.b } }) };
      case 'webhook_received': return {
        status: 201,
        headers: { 'X-Path': input.req.path },
        body: 'got ' + input.req.body,
      };
    }
    return {};
  };`;

const CREATION = { enabled: true, requiredTags: ['id'] };

async function newInstalled(token: string) {
  const { owner } = await newWorkspace();
  const schema = { type: 'object' };
  const { integration } = await owner.client.createIntegration({
    name: `adder${randomUUID().slice(0, 8)}`,
    version: '1.0.0',
    code: CODE,
    secrets: { token },
    actions: { add: { input: { schema }, output: { schema } } },
    user: { tags: { id: {} }, creation: CREATION },
    channels: {
      table: { messages: {}, message: { tags: {} }, conversation: { tags: { id: {} }, creation: CREATION } },
    },
  });
  await eventually(async () => expect((await findIntegration(integration.id))!.running).toBeDefined());
  const { bot } = await owner.client.createBot({});
  const { bot: installed } = await owner.client.updateBot({
    id: bot.id,
    integrations: { adder: { integrationId: integration.id, enabled: true } },
  });
  const { value } = await owner.client.createBotApiKey({ botId: bot.id });
  return { owner, integration, bot, key: value, installation: installed.integrations.adder! };
}

it('registers an installation, runs its actions, and serves its webhook with deployed code', async () => {
  const { owner, integration, bot, key, installation } = await newInstalled('right');
  expect(installation).toMatchObject({ status: 'registered', statusReason: null });
  const timeStart = new Date(clock.now() - 60_000).toISOString();
  await eventually(async () => {
    const { logs } = await owner.client.getIntegrationLogs({ id: integration.id, timeStart });
    expect(logs.map(({ message }) => message)).toContain(`registered with ${installation.webhookUrl}`);
  });

  const client = new Client({ apiUrl: apiBaseUrl(), token: key, botId: bot.id });
  const { output } = await client.callAction({ type: 'adder:add', input: { a: 1, b: 2 } });
  expect(output).toEqual({ sum: 3 });

  const answer = await call(`${installation.webhookUrl}/deep/path?x=1`, { method: 'POST', body: 'hello' });
  expect(answer).toMatchObject({ status: 201, body: 'got hello' });
  expect(answer.headers.get('x-path')).toBe('/deep/path');
});

it('stores its output when called for a user or a conversation', async () => {
  const { owner, integration, bot, key } = await newInstalled('right');
  const { value } = await owner.client.createIntegrationApiKey({ integrationId: integration.id });
  const [own, client] = [value, key].map(token => new Client({ apiUrl: apiBaseUrl(), token, botId: bot.id }));
  const { user } = await own!.createUser({ tags: {} });
  const { conversation } = await own!.createConversation({ channel: 'table', tags: {} });

  await client!.createUser({ tags: { id: user.id }, integrationName: 'adder' });
  await client!.createConversation({ channel: 'table', tags: { id: conversation.id }, integrationName: 'adder' });

  const timeStart = new Date(clock.now() - 60_000).toISOString();
  const { logs } = await owner.client.getIntegrationLogs({ id: integration.id, timeStart });
  expect(logs.map(({ message }) => message)).toEqual(
    expect.arrayContaining(['asked for a user', 'asked for a conversation']),
  );
});

it('deletes its function with the integration', async () => {
  const { owner, integration, bot } = await newInstalled('right');
  const { functionName } = (await findIntegration(integration.id))!.running!;
  const invoke = () =>
    invokeFunction(functionName, { method: 'POST', path: '/', query: '', headers: {}, body: '{}' }, 5_000);
  const before = await invoke();

  await owner.client.updateBot({ id: bot.id, integrations: { adder: null } });
  await owner.client.deleteIntegration({ id: integration.id });

  expect(before.kind).not.toBe('missing');
  await eventually(async () => expect(await invoke()).toEqual({ kind: 'missing' }));
});

it("sets registration_failed when an integration's code rejects the registration", async () => {
  const { installation } = await newInstalled('wrong');

  expect(installation).toMatchObject({ status: 'registration_failed', statusReason: 'The token is wrong.' });
});
