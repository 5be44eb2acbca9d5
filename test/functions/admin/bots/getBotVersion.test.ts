import { describe, expect, it } from 'vitest';
import { newBot, newWorkspace, useSharedPlatform } from '#test/support/platform.ts';
import { deploy, replying, versionsOf } from '#test/support/versions.ts';

useSharedPlatform();

describe('GET /v1/admin/bots/{id}/versions/{versionId}', () => {
  it('returns the code and the definition, without secrets and configurations', async () => {
    const bot = await newBot();
    const schema = {
      type: 'object',
      properties: { key: { type: 'string', default: 'of-the-schema', 'x-zui': { secret: true } } },
    };
    await deploy(bot, 'first', {
      secrets: { KEY: 'of-the-secret' },
      configuration: { schema, data: { key: 'of-the-data' } },
      actions: { boil: { input: { schema: {} }, output: { schema: {} } } },
    });
    const [version] = await versionsOf(bot);

    const { status, body } = await bot.workspace.call('GET', `/bots/${bot.id}/versions/${version!.id}`);

    expect(status).toBe(200);
    expect(body.version).toEqual(version);
    expect(Object.keys(body.definition.actions)).toEqual(['boil']);
    expect(body.definition.integrations).toMatchObject([{ alias: 'chat' }]);
    expect(await (await fetch(body.url)).text()).toBe(replying('first'));
    for (const secret of ['of-the-secret', 'of-the-data', 'of-the-schema']) {
      expect(JSON.stringify(body)).not.toContain(secret);
    }
  });

  it('returns an empty url for a version without code', async () => {
    const { owner } = await newWorkspace();
    const { bot } = await owner.client.createBot({ url: 'http://127.0.0.1:9' });
    const { version } = await owner.client.createBotVersion({ id: bot.id, name: 'Server' });

    const { url } = await owner.client.getBotVersion({ id: bot.id, versionId: version.id });

    expect(url).toBe('');
  });

  it('returns 404 for an unknown version, and to another workspace', async () => {
    const [bot, stranger] = [await newBot(), await newWorkspace()];
    await deploy(bot, 'first');
    const [version] = await versionsOf(bot);

    const answers = [
      await bot.workspace.call('GET', `/bots/${bot.id}/versions/ver_${'0'.repeat(24)}`),
      await bot.workspace.call('GET', `/bots/${bot.id}/versions/other`),
      await stranger.call('GET', `/bots/${bot.id}/versions/${version!.id}`),
    ];

    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404]);
  });
});
