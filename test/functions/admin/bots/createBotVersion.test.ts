import { describe, expect, it } from 'vitest';
import { findBot } from '#shared/storage/dynamodb/bots/bots.ts';
import { listVersions, VERSIONS_LIMIT } from '#shared/storage/dynamodb/bots/versions.ts';
import { newBot, newWorkspace, settled, useSharedPlatform } from '#test/support/platform.ts';
import { codeObjects, deploy, versionsOf } from '#test/support/versions.ts';

useSharedPlatform();

describe('POST /v1/admin/bots/{id}/versions', () => {
  it('saves the current version under a name, with the id that the contract expects', async () => {
    const bot = await newBot();
    await deploy(bot, 'first');

    const { status, body } = await bot.workspace.call('POST', `/bots/${bot.id}/versions`, {
      body: { name: 'Before the sale', description: 'Without discounts.' },
    });

    expect({ status, body }).toEqual({
      status: 201,
      body: {
        version: {
          id: expect.stringMatching(/^ver_\w{24}$/),
          name: 'Before the sale',
          description: 'Without discounts.',
          createdAt: expect.any(String),
          createdBy: bot.workspace.owner.accountId,
          automatic: false,
          active: false,
        },
      },
    });
    const { records } = await bot.workspace.owner.client.getAuditRecords({ id: bot.workspace.id });
    expect(records[0]).toMatchObject({ action: 'UPDATE_BOT', value: `version: ${body.version.id} Before the sale` });
  });

  it('returns 400 for a bot without code and url, and for a missing or empty name', async () => {
    const { owner, call } = await newWorkspace();
    const { bot } = await owner.client.createBot({});
    const post = (body: unknown) => call('POST', `/bots/${bot.id}/versions`, { body });

    const answers = [await post({ name: 'x' }), await post({}), await post({ name: '' })];

    expect(answers.map(({ status, body }) => `${status} ${body.metadata.issues[0].path}`)).toEqual([
      '400 id',
      '400 name',
      '400 name',
    ]);
  });

  it('keeps 50 versions: the oldest deployments go first, then the oldest names, never the active one', async () => {
    const bot = await newBot();
    const { client } = bot.workspace.owner;
    await client.updateBot({ id: bot.id, code: 'exports.handler = async () => ({})' });
    const active = (await findBot(bot.id))!.versionId!;
    const name = async (text: string) => (await client.createBotVersion({ id: bot.id, name: text })).version.id;
    const ids: string[] = [];
    for (let i = 0; i < VERSIONS_LIMIT - 1; i++) ids.push(await name(`n${i}`));
    await settled();
    const objectsBefore = await codeObjects(bot.id);

    ids.push(await name('one more'));
    await settled();

    const kept = (await listVersions(bot.id)).map(({ id }) => id);
    expect(kept).toEqual([...ids.slice(1).toReversed(), active]);
    // The code of the bot and of each version.
    expect([objectsBefore.length, (await codeObjects(bot.id)).length]).toEqual([51, 51]);

    // The bot can return to the former deployment until the next one.
    await deploy(bot, 'next');
    const next = await versionsOf(bot);
    await deploy(bot, 'later');
    const later = await versionsOf(bot);
    expect([next, later].map(each => each.some(({ id }) => id === active))).toEqual([true, false]);
    expect([next.length, later.length]).toEqual([VERSIONS_LIMIT, VERSIONS_LIMIT]);
  });

  it('leaves no version and no object of a deleted bot', async () => {
    const bot = await newBot();
    await deploy(bot, 'first');
    await bot.workspace.owner.client.createBotVersion({ id: bot.id, name: 'kept' });

    await bot.workspace.owner.client.deleteBot({ id: bot.id });
    await settled();

    const answers = await Promise.all(
      (['GET', 'POST'] as const).map(method =>
        bot.workspace.call(method, `/bots/${bot.id}/versions`, method === 'POST' ? { body: { name: 'x' } } : {}),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual([404, 404]);
  });
});
