/** An integration without a url is called in the code that was deployed for it. */
import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { findIntegration } from '#shared/dynamodb/workspace/integrations.ts';
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
      case 'action_triggered': return { body: JSON.stringify({ output: { sum: input.input.a + input.input.b } }) };
      case 'webhook_received': return {
        status: 201,
        headers: { 'X-Path': input.req.path },
        body: 'got ' + input.req.body,
      };
    }
    return {};
  };`;

async function newInstalled(token: string) {
  const { owner } = await newWorkspace();
  const schema = { type: 'object' };
  const { integration } = await owner.client.createIntegration({
    name: `adder${randomUUID().slice(0, 8)}`,
    version: '1.0.0',
    code: CODE,
    secrets: { token },
    actions: { add: { input: { schema }, output: { schema } } },
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

it('is registered by it, runs its actions, and answers its webhook', async () => {
  const { owner, integration, bot, key, installation } = await newInstalled('right');
  expect(installation).toMatchObject({ status: 'registered', statusReason: null });
  const timeStart = new Date(Date.now() - 60_000).toISOString();
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

it('is registration_failed when its code refuses to register', async () => {
  const { installation } = await newInstalled('wrong');

  expect(installation).toMatchObject({ status: 'registration_failed', statusReason: 'The token is wrong.' });
});
