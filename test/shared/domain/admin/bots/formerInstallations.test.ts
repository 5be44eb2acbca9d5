/**
 * Tests that an alias with another integration is a new installation, and that the bot keeps data of the former one.
 */
import { randomUUID } from 'node:crypto';
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it } from 'vitest';
import { environment } from '#shared/core/environment.ts';
import { documents } from '#shared/storage/dynamodb/engine/client.ts';
import { unconditional, write } from '#shared/storage/dynamodb/engine/transaction.ts';
import { fileScopeKey } from '#shared/storage/dynamodb/keys/files.ts';
import { botKey } from '#shared/storage/dynamodb/keys/workspace.ts';
import { call, eventually, newBot, newUser, type TestBot, useSharedPlatform } from '#test/support/platform.ts';
import { onceForgotten } from '#test/support/time.ts';

useSharedPlatform();

/** Creates a bot with an integration that has records and files, and another integration, with keys of both. */
async function setUp() {
  const bot = await newBot();
  const { owner } = bot.workspace;
  await owner.client.updateBot({
    id: bot.id,
    integrations: { chat: { integrationId: bot.integrationId, configuration: { token: 'of the former' } } },
  });
  const { user } = await bot.integration.createUser({ tags: { phone: '+41 79 123' } });
  const { conversation } = await bot.integration.createConversation({ channel: 'channel', tags: { thread: '1' } });
  await bot.integration.setState({
    type: 'integration',
    id: 'chat',
    name: 'session',
    payload: { token: 'of the former' },
  });
  const { file } = await upload(bot, bot.tokens.integration, 'private.txt');
  const { integration: other } = await owner.client.createIntegration({ name: 'telegram', version: '1.0.0' });
  const { value: otherKey } = await owner.client.createIntegrationApiKey({ integrationId: other.id });
  return { bot, owner, user, conversation, file, other, otherClient: bot.clientOf(otherKey), otherKey };
}

async function upload(bot: TestBot, token: string, key: string) {
  const { body } = await bot.callFiles('PUT', '', { token, body: { key, size: 5, tags: { kind: 'own' } } });
  const { uploadUrl, contentType } = body.file;
  await fetch(uploadUrl, { method: 'PUT', body: 'hello', headers: { 'content-type': contentType } });
  return body as { file: { id: string } };
}

/** Records former integrations whose files were deleted after they were uninstalled. */
async function leaveEmptyScopes({ id }: TestBot, count: number): Promise<void> {
  const scopes = Array.from({ length: count }, () => randomUUID());
  await write(scopes.map(scope => ({ put: { Item: fileScopeKey(id, scope) }, onRefused: unconditional })));
  await documents.send(
    new UpdateCommand({
      TableName: environment.tableName,
      Key: botKey(id),
      UpdateExpression: 'SET formerFileScopes = :scopes',
      ExpressionAttributeValues: { ':scopes': scopes },
    }),
  );
}

describe('an alias that is pointed at another integration', () => {
  it('creates a new webhook and configuration', async () => {
    const { bot, owner, other } = await setUp();

    const { bot: after } = await owner.client.updateBot({
      id: bot.id,
      integrations: { chat: { integrationId: other.id } },
    });

    expect(after.integrations.chat).toMatchObject({ id: other.id, configuration: {} });
    expect(after.integrations.chat!.webhookId).not.toBe(bot.webhookId);
    await eventually(async () => expect((await call(`${bot.chatUrl}/hello`)).status).toBe(404));
  });

  it('shares no data of the previous integration', async () => {
    const { bot, owner, user, conversation, file, other, otherClient, otherKey } = await setUp();

    await owner.client.updateBot({ id: bot.id, integrations: { chat: { integrationId: other.id } } });

    const refused = await Promise.all(
      [
        otherClient.getUser({ id: user.id }),
        otherClient.getConversation({ id: conversation.id }),
        otherClient.getState({ type: 'integration', id: 'chat', name: 'session' }),
        otherClient.getFile({ id: file.id }),
        otherClient.deleteFile({ id: file.id }),
      ].map(answer =>
        answer.then(
          () => 'given',
          error => error.code,
        ),
      ),
    );
    expect(refused).toEqual([404, 404, 404, 403, 403]);
    expect((await otherClient.listUsers({})).users).toEqual([]);
    expect((await otherClient.listFiles({})).files).toEqual([]);
    const values = await bot.call('GET', '/tags/phone/values?type=user', { token: otherKey });
    expect(values).toMatchObject({ status: 200, body: { tags: [] } });
  });

  it('lists the values that the new integration uses itself', async () => {
    const { bot, owner, other, otherClient, otherKey } = await setUp();
    await owner.client.updateBot({ id: bot.id, integrations: { chat: { integrationId: other.id } } });

    await otherClient.createUser({ tags: { phone: '+41 79 999' } });

    const { body } = await bot.call('GET', '/tags/phone/values?type=user', { token: otherKey });
    expect(body.tags).toEqual([{ value: '+41 79 999' }]);
  });

  it('keeps the installation for another version of the same integration', async () => {
    const { bot, owner, user } = await setUp();
    const { integration: next } = await owner.client.createIntegration({ name: 'chat', version: '99.0.0' });

    const { bot: after } = await owner.client.updateBot({
      id: bot.id,
      integrations: { chat: { integrationId: next.id } },
    });

    expect(after.integrations.chat).toMatchObject({ id: next.id, webhookId: bot.webhookId });
    expect(after.integrations.chat!.configuration).toEqual({ token: 'of the former' });
    expect((await newUser(bot)).user.id).toBeDefined();
    const { value } = await owner.client.createIntegrationApiKey({ integrationId: next.id });
    expect((await bot.clientOf(value).getUser({ id: user.id })).user.id).toBe(user.id);
  });

  it('treats an integration of the same name from another workspace as different', async () => {
    const { bot, owner } = await setUp();
    const stranger = await newBot();
    const { integration } = await stranger.workspace.owner.client.createIntegration({
      name: 'chat',
      version: '2.0.0',
      visibility: 'unlisted',
    });

    const { bot: after } = await owner.client.updateBot({
      id: bot.id,
      integrations: { chat: { integrationId: integration.id } },
    });

    expect(after.integrations.chat!.webhookId).not.toBe(bot.webhookId);
    expect(after.integrations.chat!.configuration).toEqual({});
  });
});

describe('data of an uninstalled integration', () => {
  it('can be listed and deleted by the bot and its members', async () => {
    const { bot, owner, user, conversation, file } = await setUp();
    const { file: second } = await upload(bot, bot.tokens.integration, 'second.txt');

    await owner.client.updateBot({ id: bot.id, integrations: { chat: null } });

    const member = bot.clientOf(owner.token);
    const listed = async () => (await bot.client.listFiles({})).files.map(({ id }) => id).sort();
    await onceForgotten(async () => expect(await listed()).toEqual([file.id, second.id].sort()));
    for (const client of [bot.client, member]) {
      expect((await client.listUsers({})).users.map(({ id }) => id)).toEqual([user.id]);
      expect((await client.listConversations({})).conversations.map(({ id }) => id)).toEqual([conversation.id]);
      expect((await client.listFiles({})).files.map(({ id }) => id).sort()).toEqual([file.id, second.id].sort());
      expect((await client.getFile({ id: file.id })).file.id).toBe(file.id);
    }
    await member.deleteFile({ id: file.id });
    await bot.client.deleteFile({ id: second.id });
    await bot.client.deleteUser({ id: user.id });
    await bot.client.deleteConversation({ id: conversation.id });
    expect((await bot.client.listFiles({})).files).toEqual([]);
  });

  it('can be read and deleted immediately, although functions cache the bot', async () => {
    const { bot, owner, file } = await setUp();
    const { body } = await bot.callFiles('POST', '/knowledge-bases', {
      token: bot.tokens.integration,
      body: { name: 'Its own', tags: {} },
    });
    const asMember = { token: owner.token, headers: { 'x-workspace-id': bot.workspace.id } };
    const denied = await bot.callFiles('DELETE', `/${file.id}`, asMember);

    await owner.client.updateBot({ id: bot.id, integrations: { chat: null } });
    const answers = [
      await bot.callFiles('GET', `/${file.id}`, asMember),
      await bot.callFiles('DELETE', `/${file.id}`, asMember),
      await bot.callFiles('DELETE', `/knowledge-bases/${body.knowledgeBase.id}`, asMember),
    ];

    expect(denied.status).toBe(403);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  });

  it('includes its knowledge bases, with and without files', async () => {
    const bot = await newBot();
    const { owner } = bot.workspace;
    const { body } = await bot.callFiles('POST', '/knowledge-bases', {
      token: bot.tokens.integration,
      body: { name: 'Its own', tags: {} },
    });
    const { id } = body.knowledgeBase;
    const listed = async () => (await bot.callFiles('GET', '/knowledge-bases')).body.knowledgeBases;
    const whileInstalled = [await listed(), (await bot.callFiles('DELETE', `/knowledge-bases/${id}`)).status];

    await owner.client.updateBot({ id: bot.id, integrations: { chat: null } });
    await onceForgotten(async () => expect(await listed()).toMatchObject([{ id, name: 'Its own' }]));
    const changed = await bot.callFiles('PUT', `/knowledge-bases/${id}`, { body: { name: 'Mine' } });
    const removed = await bot.callFiles('DELETE', `/knowledge-bases/${id}`);

    expect(whileInstalled).toEqual([[], 404]);
    expect([changed.status, removed.status]).toEqual([404, 200]);
    expect(await listed()).toEqual([]);
  });

  it('is counted while it has files or knowledge bases, up to 20 integrations', async () => {
    const bot = await newBot();
    const { owner } = bot.workspace;
    await bot.callFiles('POST', '/knowledge-bases', { token: bot.tokens.integration, body: { name: 'Own', tags: {} } });
    await leaveEmptyScopes(bot, 20);

    await owner.client.updateBot({ id: bot.id, integrations: { chat: null } });

    const listed = async () => (await bot.callFiles('GET', '/knowledge-bases')).body.knowledgeBases;
    await onceForgotten(async () => expect(await listed()).toMatchObject([{ name: 'Own' }]));
  });

  it('cannot be changed, read by another integration, or accessed while it is installed', async () => {
    const { bot, owner, file } = await setUp();
    const change = (token: string) =>
      bot.callFiles('PUT', `/${file.id}`, { token, body: { tags: { kind: 'theirs' } } });

    const before = await bot.callFiles('GET', `/${file.id}`);
    await owner.client.updateBot({ id: bot.id, integrations: { chat: null } });
    const after = await change(bot.tokens.bot);

    expect([before.status, after.status]).toEqual([403, 403]);
  });
});
