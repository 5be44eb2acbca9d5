/** Tests that an integration works immediately after its installation, in functions that cached the bot before. */
import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { clock } from '#shared/core/clock.ts';
import {
  type AdminClient,
  call,
  chatBaseUrl,
  newBot,
  newUser,
  type TestBot,
  useSharedPlatform,
} from '#test/support/platform.ts';

useSharedPlatform();

describe('a newly installed integration', () => {
  let bot: TestBot;
  let owner: AdminClient;
  beforeAll(async () => {
    bot = await newBot();
    owner = bot.workspace.owner.client;
  });

  /** Installs another integration under a new alias, after `remember` caused functions to cache the bot. */
  async function installAfter(remember: () => Promise<unknown>) {
    const alias = `a${randomUUID().slice(0, 8)}`;
    const { integration } = await owner.createIntegration({ name: alias, version: '1.0.0' });
    const { value: key } = await owner.createIntegrationApiKey({ integrationId: integration.id });
    await remember();
    const { bot: after } = await owner.updateBot({
      id: bot.id,
      integrations: { [alias]: { integrationId: integration.id } },
    });
    return { alias, key, webhookId: after.integrations[alias]!.webhookId };
  }

  it('is recorded on new conversations and users', async () => {
    const conversation = (integrationName: string) =>
      bot.client.createConversation({ integrationName, channel: 'channel', tags: {} } as never);
    const user = (integrationName: string) => bot.client.createUser({ integrationName, tags: {} } as never);
    const { alias } = await installAfter(() => Promise.all([conversation('chat'), user('chat')]));

    const created = await conversation(alias);
    const found = await bot.call('POST', '/conversations/get-or-create', {
      body: { integrationName: alias, channel: 'channel', tags: { kind: alias }, discriminateByTags: ['kind'] },
    });
    const users = [
      await user(alias),
      (await bot.call('POST', '/users/get-or-create', { body: { integrationName: alias, tags: { kind: alias } } }))
        .body,
    ];

    expect(created.conversation.integration).toBe(alias);
    expect(found.body.conversation.integration).toBe(alias);
    expect(users.every(each => typeof each.user.id === 'string')).toBe(true);
    await expect(conversation('never')).rejects.toMatchObject({ code: 400, type: 'ReferenceNotFound' });
  });

  it('is recorded on the first conversations of a bot', async () => {
    const { bot: bare } = await owner.createBot({});
    const { value: token } = await owner.createBotApiKey({ botId: bare.id });
    const client = bot.clientOf(token, { botId: bare.id } as never);
    const create = async () => (await client.createConversation({ channel: 'channel', tags: {} })).conversation;
    const before = await create();
    await owner.updateBot({ id: bare.id, integrations: { chat: { integrationId: bot.integrationId } } });

    const after = await create();

    expect([before.integration, after.integration]).toEqual(['', 'chat']);
  });

  it('can have states', async () => {
    const state = { type: 'integration' as never, name: 's' };
    const { alias } = await installAfter(() => bot.client.setState({ ...state, id: 'chat', payload: {} }));

    const set = await bot.client.setState({ ...state, id: alias, payload: { a: 1 } });
    const missing = bot.client.setState({ ...state, id: 'never', payload: {} });

    expect(set.state.payload).toEqual({ a: 1 });
    await expect(missing).rejects.toMatchObject({ code: 404 });
  });

  // Rejections come from permissions, not from an unknown installation.
  it.each([
    ['chat', '/conversations', [200, 200, 200]],
    ['files', '', [200, 200, 403]],
    ['tables', '', [403, 403, 200]],
  ] as const)('can call the group %s with its key, and be named by the bot', async (group, path, statuses) => {
    const callGroup = { chat: bot.call, files: bot.callFiles, tables: bot.callTables }[group];
    const { alias, key } = await installAfter(() => callGroup('GET', path));
    const headers = { 'x-integration-alias': alias };

    const answers = [
      await callGroup('GET', path, { token: key, headers }),
      await callGroup('GET', path, { token: key }),
      await callGroup('GET', path, { headers }),
    ];

    expect(answers.map(({ status }) => status)).toEqual(statuses);
    for (const { body } of answers) expect(body.message ?? '').not.toMatch(/not installed|no access to the bot/);
  });

  it('admits chat users, and lets the bot find them and their conversations by id', async () => {
    const alias = `c${randomUUID().slice(0, 8)}`;
    const { integration } = await owner.createIntegration({ name: 'chat', version: `9.${clock.now() % 100_000}.0` });
    const remember = () =>
      Promise.all([
        bot.client.listUsers({ tags: { 'x:fid': 'x' } }),
        bot.client.listConversations({ tags: { 'x:fid': 'x' } }),
      ]);
    await remember();
    const { bot: after } = await owner.updateBot({
      id: bot.id,
      integrations: { [alias]: { integrationId: integration.id } },
    });
    const chatUrl = `${chatBaseUrl()}/${after.integrations[alias]!.webhookId}`;

    const hello = await call(`${chatUrl}/hello`);
    const { client } = await newUser({ chatUrl }, { id: 'ada' });
    await client.createConversation({ id: 'talk' });
    const { users } = await bot.client.listUsers({ tags: { [`${alias}:fid`]: 'ada' } });
    const { conversations } = await bot.client.listConversations({ tags: { [`${alias}:fid`]: 'talk' } });

    expect(hello.status).toBe(200);
    expect([users.length, conversations.length]).toEqual([1, 1]);
  });
});
