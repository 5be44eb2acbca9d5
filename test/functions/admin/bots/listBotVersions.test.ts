import { describe, expect, it } from 'vitest';
import { newBot, newWorkspace, useSharedPlatform } from '#test/support/platform.ts';
import { deploy, versionsOf } from '#test/support/versions.ts';

useSharedPlatform();

describe('GET /v1/admin/bots/{id}/versions', () => {
  it('lists deployments of code and named versions, newest first', async () => {
    const bot = await newBot();
    const { client } = bot.workspace.owner;
    await deploy(bot, 'first');
    const { version } = await client.createBotVersion({ id: bot.id, name: 'Stable' });
    await deploy(bot, 'second');
    await client.updateBot({ id: bot.id, description: 'No deployment.' });

    const versions = await versionsOf(bot);

    expect(versions.map(({ automatic, active, id }) => ({ automatic, active, isNamed: id === version.id }))).toEqual([
      { automatic: true, active: true, isNamed: false },
      { automatic: false, active: false, isNamed: true },
      { automatic: true, active: false, isNamed: false },
    ]);
    expect(versions[0]!.name).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d UTC$/);
    expect((await client.listBotVersions({ id: bot.id })).versions.map(({ name }) => name)).toContain('Stable');
  });

  it('includes the deployment with which a bot is created', async () => {
    const { owner } = await newWorkspace();
    const { bot } = await owner.client.createBot({ code: 'exports.handler = async () => ({})' });

    const { versions } = await owner.client.listBotVersions({ id: bot.id });

    expect(versions).toHaveLength(1);
  });

  it('is empty for a bot that was never deployed, and returns 404 to another workspace', async () => {
    const [bot, stranger] = [await newBot(), await newWorkspace()];

    const { status } = await stranger.call('GET', `/bots/${bot.id}/versions`);

    expect(await versionsOf(bot)).toEqual([]);
    expect(status).toBe(404);
  });
});
