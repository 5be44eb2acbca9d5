import { describe, expect, it } from 'vitest';
import { newWorkspace, type TestWorkspace, useSharedPlatform } from '#test/support/platform.ts';

useSharedPlatform();

async function newBot(workspace: TestWorkspace) {
  const { bot } = await workspace.owner.client.createBot({});
  return bot.id;
}

describe('DELETE /v1/admin/bots/baks/{id}', () => {
  it('revokes this key and no other', async () => {
    const workspace = await newWorkspace();
    const { client } = workspace.owner;
    const botId = await newBot(workspace);
    const [ended, kept] = [await client.createBotApiKey({ botId }), await client.createBotApiKey({ botId })];

    await client.deleteBotApiKey({ id: ended.id });
    // First use of both keys: functions cache valid keys for 30 s.
    const uses = [ended, kept].map(({ value }) => workspace.call('GET', '/account/me', { token: value }));
    const { baks } = await client.listBotApiKeys({ botId });

    expect(baks.map(({ id }) => id)).toEqual([kept.id]);
    expect((await Promise.all(uses)).map(({ status }) => status)).toEqual([401, 403]);
  });

  it('returns 404 when the key is unknown or already deleted', async () => {
    const workspace = await newWorkspace();
    const { client } = workspace.owner;
    const key = await client.createBotApiKey({ botId: await newBot(workspace) });
    await client.deleteBotApiKey({ id: key.id });

    const answers = await Promise.all(
      [key.id, `${key.id}x`, 'nonsense'].map(id => workspace.call('DELETE', `/bots/baks/${id}`)),
    );

    for (const answer of answers) expect(answer).toMatchObject({ status: 404, body: { type: 'ResourceNotFound' } });
  });

  it('returns 404 and keeps the key when it belongs to another workspace', async () => {
    const [mine, theirs] = [await newWorkspace(), await newWorkspace()];
    const botId = await newBot(theirs);
    const key = await theirs.owner.client.createBotApiKey({ botId });

    const deletion = mine.owner.client.deleteBotApiKey({ id: key.id });

    await expect(deletion).rejects.toMatchObject({ code: 404, type: 'ResourceNotFound' });
    expect((await theirs.owner.client.listBotApiKeys({ botId })).baks).toHaveLength(1);
  });
});
