import { describe, expect, it } from 'vitest';
import {
  call,
  eventually,
  newBotWithIntegration,
  newWorkspace,
  type TestWorkspace,
  useSharedPlatform,
} from '#test/support/platform.ts';

useSharedPlatform();

const botCount = async ({ id, owner }: TestWorkspace) =>
  (await owner.client.getUsage({ id, type: 'bot_count' })).usage.value;

describe('DELETE /v1/admin/bots/{id}', () => {
  it('hides the bot from the list, and shows its status as deleting', async () => {
    const { owner, ...workspace } = await newWorkspace();
    const [{ bot }, { bot: other }] = [await owner.client.createBot({}), await owner.client.createBot({})];

    await owner.client.deleteBot({ id: bot.id });
    const { body } = await workspace.call('GET', `/bots/${bot.id}`);

    expect(body.bot).toMatchObject({ id: bot.id, status: 'deleting', integrations: {} });
    expect((await owner.client.listBots({})).bots.map(({ id }) => id)).toEqual([other.id]);
  });

  it('disables its webhook and keys, and frees its integration', async () => {
    const workspace = await newWorkspace();
    const { owner } = workspace;
    const { bot, integration, chatUrl } = await newBotWithIntegration(workspace);
    const { value: token } = await owner.client.createBotApiKey({ botId: bot.id });

    await owner.client.deleteBot({ id: bot.id });
    const introspection = await workspace.call('POST', '/introspect', { token, body: { botId: bot.id } });

    expect(introspection.status).toBe(401);
    await eventually(async () => expect((await call(`${chatUrl}/hello`)).status).toBe(404));
    await expect(owner.client.deleteIntegration({ id: integration.id })).resolves.toEqual({});
  });

  it('decrements the number of bots once for concurrent deletes', async () => {
    const workspace = await newWorkspace();
    const { owner } = workspace;
    const [{ bot }] = [await owner.client.createBot({}), await owner.client.createBot({})];

    const answers = await Promise.all(
      Array.from({ length: 3 }, () => workspace.call('DELETE', `/bots/${bot.id}`).then(({ status }) => status)),
    );

    expect(answers.sort()).toEqual([200, 404, 404]);
    expect(await botCount(workspace)).toBe(1);
  });

  it('returns 404 when it is already deleted, unknown or belongs to another workspace', async () => {
    const [mine, theirs] = [await newWorkspace(), await newWorkspace()];
    const { bot } = await mine.owner.client.createBot({});
    const { bot: other } = await theirs.owner.client.createBot({});
    await mine.owner.client.deleteBot({ id: bot.id });

    const answers = await Promise.all(
      [bot.id, crypto.randomUUID(), other.id].map(id => mine.call('DELETE', `/bots/${id}`)),
    );

    for (const answer of answers) expect(answer).toMatchObject({ status: 404, body: { type: 'ResourceNotFound' } });
    expect((await theirs.owner.client.getBot({ id: other.id })).bot.status).toBe('active');
  });

  it('lets developers delete only bots they created', async () => {
    const workspace = await newWorkspace();
    const developer = await workspace.join('developer');
    const { bot: foreign } = await workspace.owner.client.createBot({});
    const { bot: own } = await developer.client.createBot({});

    const deleted = await developer.client.deleteBot({ id: own.id });
    const refused = developer.client.deleteBot({ id: foreign.id });

    expect(deleted).toEqual({});
    await expect(refused).rejects.toMatchObject({ code: 403, type: 'Forbidden' });
    expect((await workspace.owner.client.getBot({ id: foreign.id })).bot.status).toBe('active');
  });
});
