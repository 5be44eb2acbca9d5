/**
 * Tests that a token with scopes or expiry grants nothing beyond its own rights: not by keys, deployed code,
 * installations or secrets.
 */
import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { clock } from '#shared/core/clock.ts';
import { newBot, newScopedToken, newWorkspace, type TestBot, useSharedPlatform } from '#test/support/platform.ts';

useSharedPlatform();

const CODE = 'exports.handler = async () => ({});';
const KEY = 'q3Vx0t6fJm2yWb8cLr5zKd1nHs7pGu4eTa9i';

let bot: TestBot;
let other: string;
const limited: Record<string, string> = {};
beforeAll(async () => {
  const workspace = await newWorkspace();
  bot = await newBot(workspace);
  const named = await workspace.owner.client.createIntegration({ name: `n${randomUUID()}`, version: '1.0.0' });
  other = named.integration.id;
  await workspace.owner.client.updateIntegration({ id: bot.integrationId, configurations: { other: {} } });
  const expiresAt = new Date(clock.now() + 3_600_000).toISOString();
  const { body } = await workspace.call('POST', '/account/pats', { body: { note: 'for an hour', expiresAt } });
  limited['that expires'] = body.pat.value;
  limited['with the scope admin'] = await newScopedToken(workspace, ['admin']);
  limited['with scopes of single operations'] = await newScopedToken(workspace, [
    'admin:createBot',
    'admin:updateBot',
    'admin:createIntegration',
    'admin:updateIntegration',
    'admin:createPlugin',
    'chat',
    'files',
    'tables',
    'cognitive',
  ]);
});

const installing = (alias: string, given: object) => ({ integrations: { [alias]: given } });

type Road = readonly [name: string, method: string, path: () => string, body: () => object];
const ROADS: readonly Road[] = [
  ['createBot with code, which gets a key', 'POST', () => '/bots', () => ({ code: CODE })],
  ['updateBot with code', 'PUT', () => `/bots/${bot.id}`, () => ({ code: CODE })],
  [
    'createIntegration with code',
    'POST',
    () => '/integrations',
    () => ({ name: `n${randomUUID()}`, version: '1.0.0', code: CODE }),
  ],
  ['updateIntegration with code', 'PUT', () => `/integrations/${other}`, () => ({ code: CODE })],
  ['createBot with secrets, which deployed code gets', 'POST', () => '/bots', () => ({ secrets: { a: 'b' } })],
  [
    'createIntegration with a url, which receives the configurations of installations',
    'POST',
    () => '/integrations',
    () => ({ name: `n${randomUUID()}`, version: '1.0.0', url: 'http://127.0.0.1:9' }),
  ],
  [
    'createPlugin with code, which runs in the bots that install it',
    'POST',
    () => '/plugins',
    () => ({ name: `n${randomUUID()}`, version: '1.0.0', code: { node: CODE, browser: '' } }),
  ],
  [
    'updateBot that installs an integration, whose key then reaches the bot',
    'PUT',
    () => `/bots/${bot.id}`,
    () => installing('more', { integrationId: other, enabled: true }),
  ],
  [
    'updateBot with another configuration type, which has no keys for users',
    'PUT',
    () => `/bots/${bot.id}`,
    () => installing('chat', { configurationType: 'other' }),
  ],
  [
    'updateBot that points an alias to another integration',
    'PUT',
    () => `/bots/${bot.id}`,
    () => installing('chat', { integrationId: other }),
  ],
  [
    'updateBot that installs an integration named by the alias',
    'PUT',
    () => `/bots/${bot.id}`,
    () => installing(other, {}),
  ],
  [
    'updateBot with a url, which receives the configuration',
    'PUT',
    () => `/bots/${bot.id}`,
    () => ({ url: 'http://127.0.0.1:9' }),
  ],
  [
    'updateBot that sets the key by which users come in',
    'PUT',
    () => `/bots/${bot.id}`,
    () => installing('chat', { configuration: { encryptionKey: KEY } }),
  ],
];

describe.each(['that expires', 'with the scope admin', 'with scopes of single operations'])('a token %s', kind => {
  it.each(ROADS)('returns 403 for %s, and changes nothing', async (_, method, path, body) => {
    const { client } = bot.workspace.owner;
    const state = async () => [
      (await client.listBots({})).bots.length,
      (await client.listIntegrations({})).integrations.length,
      (await client.getBot({ id: bot.id })).bot,
      (await client.getIntegration({ id: other })).integration,
    ];
    const before = await state();

    const answer = await bot.workspace.call(method, path(), { token: limited[kind]!, body: body() });

    expect({ status: answer.status, type: answer.body.type }).toEqual({ status: 403, type: 'Forbidden' });
    expect(answer.body.message).toMatch(/without expiry/);
    expect(await state()).toEqual(before);
  });

  it('permits other changes of a bot, including removals', async () => {
    const own = await newBot(bot.workspace);
    const change = (body: object) => bot.workspace.call('PUT', `/bots/${own.id}`, { token: limited[kind]!, body });

    const answers = [
      await change({ description: 'x', url: null }),
      await change(installing('chat', { enabled: false })),
      await change({ integrations: { chat: null } }),
    ];

    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  });
});

it('permits everything to a token with the scopes of all groups and without expiry', async () => {
  const token = await newScopedToken(bot.workspace, ['admin', 'chat', 'files', 'tables', 'cognitive']);

  const statuses: number[] = [];
  for (const [, method, path, body] of ROADS) {
    statuses.push((await bot.workspace.call(method, path(), { token, body: body() })).status);
  }

  expect(statuses).toEqual([201, 200, 201, 200, 201, 201, 201, 200, 200, 200, 200, 200, 200]);
});
