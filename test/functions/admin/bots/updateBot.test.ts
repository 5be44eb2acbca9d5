import { randomBytes, randomUUID } from 'node:crypto';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { updateBot } from '#functions/admin/bots/updateBot.ts';
import { jsonSchema } from '#infra/gateway/reference/jsonSchemas.ts';
import { signUserKey } from '#shared/api/chat/userKey.ts';
import { mapConcurrently } from '#shared/core/concurrency.ts';
import { newName } from '#test/support/packages.ts';
import {
  call,
  chatBaseUrl,
  eventually,
  newBotWithIntegration,
  newUser,
  newWorkspace,
  type TestWorkspace,
  useSharedPlatform,
} from '#test/support/platform.ts';

useSharedPlatform();

const schema = { type: 'object' };
const recurring = (cron: string, type = 't') => ({
  recurringEvents: { daily: { schedule: { cron }, type, payload: {} } },
});
const chatUrlOf = (webhookId: string) => `${chatBaseUrl()}/${webhookId}`;
const newIntegration = async ({ owner }: TestWorkspace, fields: { name?: string; public?: boolean } = {}) =>
  (await owner.client.createIntegration({ name: 'chat', version: '1.0.0', ...fields })).integration;

describe('PUT /v1/admin/bots/{id}', () => {
  it('merges maps by key, and removes a key set to null', async () => {
    const { owner } = await newWorkspace();
    const { bot } = await owner.client.createBot({
      name: 'Before',
      tags: { keep: '1', change: '1', drop: '1' },
      events: { kept: { schema }, dropped: { schema } },
      url: 'https://bots.example.com',
    });

    await owner.client.updateBot({
      id: bot.id,
      name: 'After',
      // biome-ignore lint/suspicious/noExplicitAny: the client's types do not allow null to remove a tag
      tags: { change: '2', drop: null, add: '2' } as any,
      events: { dropped: null, added: { schema } },
      url: null,
    });
    const { bot: after } = await owner.client.getBot({ id: bot.id });

    expect(after).toMatchObject({ name: 'After', createdAt: bot.createdAt });
    expect(after.tags).toEqual({ keep: '1', change: '2', add: '2' });
    expect(Object.keys(after.events).sort()).toEqual(['added', 'kept']);
    expect(after).not.toHaveProperty('url');
    expect(Date.parse(after.updatedAt)).toBeGreaterThan(Date.parse(bot.updatedAt));
  });

  it('stores unknown fields of a definition, and returns those in the response schema', async () => {
    const workspace = await newWorkspace();
    const { bot } = await workspace.owner.client.createBot({});
    const unknown = { more: [1, { '': null }] };
    const definitions = {
      events: { e: { schema, ...unknown } },
      actions: { a: { input: { schema }, output: { schema }, ...unknown } },
      states: { s: { type: 'bot', schema, ...unknown } },
      recurringEvents: { r: { schedule: { cron: '0 0 * * *' }, type: 'e', payload: unknown, ...unknown } },
      subscriptions: { events: { e: unknown } },
      user: { tags: { t: unknown } },
      conversation: { tags: { t: unknown } },
      message: { tags: { t: unknown } },
    };

    const { status, body } = await workspace.call('PUT', `/bots/${bot.id}`, { body: definitions });

    expect(status).toBe(200);
    expect(body.bot).toMatchObject(definitions);
    const validate = new Ajv2020({ strict: false, validateFormats: false }).compile(
      jsonSchema(updateBot.output, 'output'),
    );
    expect(validate(body), JSON.stringify(validate.errors)).toBe(true);
  });

  it('keeps two concurrent changes', async () => {
    const { owner } = await newWorkspace();
    const { bot } = await owner.client.createBot({});
    const names = ['a', 'b', 'c', 'd'];

    await Promise.all(names.map(name => owner.client.updateBot({ id: bot.id, tags: { [name]: name } })));
    const { bot: after } = await owner.client.getBot({ id: bot.id });

    expect(after.tags).toEqual({ a: 'a', b: 'b', c: 'c', d: 'd' });
  });

  it('replaces 18 integrations in one call, returns 413 for more, and deletes a bot with 40', async () => {
    const { owner, call } = await newWorkspace();
    const names = Array.from({ length: 80 }, (_, i) => `i${i}`);
    const ids = await mapConcurrently(
      names,
      4,
      async name => (await owner.client.createIntegration({ name, version: '1.0.0' })).integration.id,
    );
    const { bot } = await owner.client.createBot({});
    const point = (first: number, count: number, offset = 0) =>
      call('PUT', `/bots/${bot.id}`, {
        body: {
          integrations: Object.fromEntries(
            Array.from({ length: count }, (_, i) => [`alias${first + i}`, { integrationId: ids[first + i + offset] }]),
          ),
        },
      });

    const tooMany = await point(0, 19);
    const pointed = [await point(0, 18), await point(18, 18), await point(36, 4), await point(0, 18, 40)];
    const deleted = await call('DELETE', `/bots/${bot.id}`);

    expect(tooMany).toMatchObject({ status: 413, body: { type: 'LimitExceeded' } });
    expect(pointed.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(deleted.status).toBe(200);
  });

  it('installs an integration twice, each time with its own webhook for chat users', async () => {
    const workspace = await newWorkspace();
    const { bot, integration } = await newBotWithIntegration(workspace);

    const { bot: after } = await workspace.owner.client.updateBot({
      id: bot.id,
      integrations: { second: { integrationId: integration.id, enabled: true } },
    });
    const { chat, second } = after.integrations;
    const users = await Promise.all([
      newUser({ chatUrl: chatUrlOf(chat!.webhookId) }, { name: 'Ada' }),
      newUser({ chatUrl: chatUrlOf(second!.webhookId) }, { name: 'Bob' }),
    ]);

    expect(chat!.webhookId).not.toBe(second!.webhookId);
    expect(users.map(({ user }) => user.name)).toEqual(['Ada', 'Bob']);
  });

  it('accepts user keys signed with the encryptionKey, and rejects createUser', async () => {
    const encryptionKey = randomBytes(32).toString('base64');
    const { chatUrl } = await newBotWithIntegration(await newWorkspace(), { encryptionKey });
    const key = signUserKey({ encryptionKey }, { id: 'ada' });

    const closed = await call(`${chatUrl}/users`, { method: 'POST', body: {} });
    const signed = await call(`${chatUrl}/users/get-or-create`, { method: 'POST', key, body: { name: 'Ada' } });

    expect(closed).toMatchObject({ status: 401, body: { type: 'Unauthorized' } });
    expect(signed.body).toMatchObject({ user: { id: 'ada', name: 'Ada' } });
  });

  it('returns 400 for blocked: true, which would have no effect', async () => {
    const workspace = await newWorkspace();
    const { bot } = await newBotWithIntegration(workspace);

    const update = (blocked: boolean) => workspace.owner.client.updateBot({ id: bot.id, blocked });

    await expect(update(true)).rejects.toThrow('To stop a bot, disable its installations.');
    await expect(update(false)).resolves.toBeDefined();
  });

  it.each([
    [true, { source: 'web' }],
    [false, undefined],
  ])('sets payloadExtensions to %s, so a message keeps the metadata %j', async (payloadExtensions, kept) => {
    const installation = await newBotWithIntegration(await newWorkspace(), { payloadExtensions });
    const { key, client } = await newUser(installation);
    const { conversation } = await client.createConversation({});
    const body = {
      conversationId: conversation.id,
      payload: { type: 'text', text: 'hi' },
      metadata: { source: 'web' },
    };

    const { body: answer } = await call(`${installation.chatUrl}/messages`, { method: 'POST', key, body });

    expect(answer.message.metadata).toEqual(kept);
  });

  it.each([
    [{}, 403],
    [{ payloadExtensions: true }, 201],
    [{ fileUploads: true }, 201],
    [{ payloadExtensions: true, fileUploads: false }, 403],
  ])('sets the configuration %j, so user uploads return %i', async (configuration, expected) => {
    const installation = await newBotWithIntegration(await newWorkspace(), configuration);
    const { key } = await newUser(installation);

    const { status } = await call(`${installation.chatUrl}/files`, {
      method: 'POST',
      key,
      body: { key: 'a.txt', size: 1 },
    });

    expect(status).toBe(expected);
  });

  it.each([
    ['disabled', { enabled: false }],
    ['uninstalled', null],
  ])('disables the chat URL when the integration is %s', async (_, change) => {
    const workspace = await newWorkspace();
    const { bot, chatUrl } = await newBotWithIntegration(workspace);

    // First use of the webhook: functions cache webhooks for 30 s.
    await workspace.owner.client.updateBot({ id: bot.id, integrations: { chat: change } });

    await eventually(async () => expect((await call(`${chatUrl}/hello`)).status).toBe(404));
    expect((await workspace.owner.client.getBot({ id: bot.id })).bot.integrations.chat?.status).toBe(
      change ? 'unregistered' : undefined,
    );
  });

  it.each([
    ['a long name', { name: 'n'.repeat(201) }, 'name'],
    ['an invalid URL', { url: 'here' }, 'url'],
    ['a tag that is not a string', { tags: { a: 1 } }, 'tags.a'],
    ['an event without a schema', { events: { e: {} } }, 'events.e.schema'],
    ['an execution time of zero', { maxExecutionTime: 0 }, 'maxExecutionTime'],
    ['a cron expression of words', recurring('every day'), 'recurringEvents.daily.schedule.cron'],
    ['a cron expression with seconds', recurring('0 0 9 * * *'), 'recurringEvents.daily.schedule.cron'],
    ['an invalid minute', recurring('60 * * * *'), 'recurringEvents.daily.schedule.cron'],
    ['a date that never comes', recurring('0 0 30 2 *'), 'recurringEvents.daily.schedule.cron'],
    [
      'a recurring event of a type of the platform',
      recurring('@daily', 'message_created'),
      'recurringEvents.daily.type',
    ],
  ])('rejects %s with a 400 that names the field', async (_, body, path) => {
    const workspace = await newWorkspace();
    const { bot } = await workspace.owner.client.createBot({ name: 'Before' });

    const answer = await workspace.call('PUT', `/bots/${bot.id}`, { body });

    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({ type: 'InvalidPayload', metadata: { issues: [{ path }] } });
    expect((await workspace.owner.client.getBot({ id: bot.id })).bot.updatedAt).toBe(bot.updatedAt);
  });

  it.each(['short', 'a'.repeat(8), 'a'.repeat(64), 'password'.repeat(6), randomUUID().slice(0, 31)])(
    'returns 400 with instructions for the guessable encryptionKey %j, and installs nothing',
    async encryptionKey => {
      const workspace = await newWorkspace();
      const integration = await newIntegration(workspace);
      const { bot } = await workspace.owner.client.createBot({});
      const chat = { integrationId: integration.id, configuration: { encryptionKey } };

      const answer = await workspace.call('PUT', `/bots/${bot.id}`, { body: { integrations: { chat } } });

      expect(answer.status).toBe(400);
      expect(answer.body.metadata.issues).toMatchObject([{ path: 'integrations.chat.configuration.encryptionKey' }]);
      expect(answer.body.message).toContain('openssl rand -base64 32');
      expect((await workspace.owner.client.getBot({ id: bot.id })).bot.integrations).toEqual({});
    },
  );

  it('installs a public integration of another workspace, and returns 400 for a private one', async () => {
    const [mine, publisher, hider] = [await newWorkspace(), await newWorkspace(), await newWorkspace()];
    const [open, hidden] = [
      await newIntegration(publisher, { name: newName(), public: true }),
      await newIntegration(hider),
    ];
    const { bot } = await mine.owner.client.createBot({});
    const installing = (integrationId: string) =>
      mine.owner.client.updateBot({ id: bot.id, integrations: { chat: { integrationId } } });

    const { bot: after } = await installing(open.id);

    expect(after.integrations.chat).toMatchObject({ id: open.id, public: true });
    await expect(installing(hidden.id)).rejects.toMatchObject({ code: 400, type: 'ReferenceNotFound' });
    await expect(installing('intver_unknown')).rejects.toMatchObject({ code: 400, type: 'ReferenceNotFound' });
  });

  it('accepts 20 recurring events, and returns 413 for another', async () => {
    const { owner, call } = await newWorkspace();
    const daily = { schedule: { cron: '0 9 * * MON-FRI' }, type: 't', payload: { a: 1 } };
    const recurringEvents = Object.fromEntries(Array.from({ length: 20 }, (_, i) => [`n${i}`, daily]));
    const { bot } = await owner.client.createBot({ recurringEvents });

    const refused = await call('PUT', `/bots/${bot.id}`, { body: { recurringEvents: { one: daily } } });
    const swapped = await call('PUT', `/bots/${bot.id}`, { body: { recurringEvents: { n0: null, one: daily } } });

    expect(bot.recurringEvents.n19).toEqual({ ...daily, failedAttempts: 0, lastFailureReason: null });
    expect(refused).toMatchObject({ status: 413, body: { type: 'LimitExceeded' } });
    expect(refused.body.metadata).toMatchObject({ limitEntries: 20, issues: [{ path: 'recurringEvents' }] });
    expect(Object.keys(swapped.body.bot.recurringEvents)).toHaveLength(20);
  });

  it('returns 404 when the bot is unknown or belongs to another workspace', async () => {
    const [mine, theirs] = [await newWorkspace(), await newWorkspace()];
    const { bot } = await theirs.owner.client.createBot({ name: 'Theirs' });

    const answers = [
      await mine.call('PUT', `/bots/${crypto.randomUUID()}`, { body: { name: 'Mine' } }),
      await mine.call('PUT', `/bots/${bot.id}`, { body: { name: 'Mine' } }),
    ];

    expect(answers.map(({ status, body }) => [status, body.type])).toEqual(Array(2).fill([404, 'ResourceNotFound']));
    expect((await theirs.owner.client.getBot({ id: bot.id })).bot.name).toBe('Theirs');
  });

  it('changes and disables an installation after its integration was made private', async () => {
    const [mine, theirs] = await Promise.all([newWorkspace(), newWorkspace()]);
    const { integration } = await theirs.owner.client.createIntegration({
      name: newName(),
      version: '1.0.0',
      visibility: 'public',
    });
    const { bot } = await mine.owner.client.createBot({});
    const set = (change: { integrationId?: string; enabled?: boolean }) =>
      mine.owner.client.updateBot({ id: bot.id, integrations: { shared: change } });
    await set({ integrationId: integration.id });

    await theirs.owner.client.updateIntegration({ id: integration.id, visibility: 'private' });
    const { bot: after } = await set({ enabled: false });

    expect(after.integrations.shared).toMatchObject({ enabled: false, status: 'unregistered' });
  });
});
