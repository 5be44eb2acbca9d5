import { describe, expect, it } from 'vitest';
import { clock } from '#shared/core/clock.ts';
import { findBot } from '#shared/storage/dynamodb/bots/bots.ts';
import { talkTo } from '#test/support/deployedCode.ts';
import {
  eventually,
  newBot,
  newScopedToken,
  newWorkspace,
  settled,
  useSharedPlatform,
} from '#test/support/platform.ts';
import { deploy, hasRecurringTimer, rollBack, versionsOf } from '#test/support/versions.ts';

useSharedPlatform();

const schema = { type: 'object', properties: { size: { type: 'string' } } };

describe('POST /v1/admin/bots/{id}/versions/deploy', () => {
  it('returns to the code of an earlier deployment, which answers the next message', async () => {
    const bot = await newBot();
    await deploy(bot, 'first');
    await deploy(bot, 'second');
    const { say, texts } = await talkTo(bot);
    await say('1');
    await eventually(async () => expect(await texts()).toEqual(['1', 'second']));
    const [, first] = await versionsOf(bot);

    const { status, body } = await rollBack(bot, first!.id);
    await say('2');

    expect({ status, body }).toEqual({ status: 200, body: { status: 'active' } });
    await eventually(async () => expect(await texts()).toEqual(['1', 'second', '2', 'first']));
    expect((await versionsOf(bot)).map(({ active }) => active)).toEqual([false, true]);
  });

  it('keeps the code of every version through further deployments', async () => {
    const bot = await newBot();
    for (const name of ['first', 'second', 'third']) await deploy(bot, name);
    const [third, second, first] = await versionsOf(bot);
    const { say, texts } = await talkTo(bot);

    for (const { id } of [first!, third!, second!, first!]) {
      await rollBack(bot, id);
      await settled();
      await say('who?');
      await settled();
    }

    await eventually(async () => {
      expect((await texts()).filter(text => text !== 'who?')).toEqual(['first', 'third', 'second', 'first']);
    });
  });

  it('restores the definition with its schedules, and keeps secrets, configurations and installations', async () => {
    const bot = await newBot();
    const { client } = bot.workspace.owner;
    await deploy(bot, 'first', {
      name: 'Kettle',
      tags: { team: 'tea' },
      secrets: { KEY: 'old' },
      configuration: { schema, data: { size: 'small' } },
      events: { boiled: { schema } },
      actions: { boil: { input: { schema }, output: { schema } } },
      states: { cup: { type: 'bot', schema } },
      recurringEvents: { daily: { schedule: { cron: '0 9 * * *' }, type: 'boiled', payload: {} } },
      maxExecutionTime: 20,
    });
    await deploy(bot, 'second', {
      name: 'Teapot',
      tags: { team: null as never, other: 'x' },
      secrets: { KEY: 'new', MORE: 'm' },
      configuration: { schema: { type: 'object' }, data: { size: 'large' } },
      events: { boiled: null, poured: { schema } },
      actions: { boil: null },
      states: { cup: null },
      recurringEvents: { daily: null, hourly: { schedule: { cron: '0 * * * *' }, type: 'poured', payload: {} } },
      maxExecutionTime: 30,
    });
    const [, first] = await versionsOf(bot);

    await rollBack(bot, first!.id);

    const { bot: after } = await client.getBot({ id: bot.id });
    expect(after).toMatchObject({
      name: 'Teapot',
      tags: { team: 'tea' },
      configuration: { schema, data: { size: 'large' } },
      events: { boiled: { schema } },
      actions: { boil: { input: { schema } } },
      states: { cup: { schema } },
      recurringEvents: { daily: { type: 'boiled' } },
      maxExecutionTime: 20,
    });
    expect([Object.keys(after.events), Object.keys(after.recurringEvents)]).toEqual([['boiled'], ['daily']]);
    expect(after.secrets.toSorted()).toEqual(['KEY', 'MORE']);
    expect(Object.values(after.integrations).map(({ name }) => name)).toEqual(['chat']);
    expect([await hasRecurringTimer(bot.id, 'daily'), await hasRecurringTimer(bot.id, 'hourly')]).toEqual([
      true,
      false,
    ]);
  });

  it('returns to a url, and from a url to code', async () => {
    const bot = await newBot();
    const { client } = bot.workspace.owner;
    await deploy(bot, 'code');
    await client.updateBot({ id: bot.id, url: 'http://127.0.0.1:9' });
    const { version } = await client.createBotVersion({ id: bot.id, name: 'Server' });
    const [, deployed] = await versionsOf(bot);

    await rollBack(bot, deployed!.id);
    const withCode = (await findBot(bot.id))!.url;
    await rollBack(bot, version.id);

    expect([withCode, (await findBot(bot.id))!.url]).toEqual([undefined, 'http://127.0.0.1:9']);
  });

  it('logs which integration of the version is missing, and records the deployment', async () => {
    const bot = await newBot();
    const { client } = bot.workspace.owner;
    await deploy(bot, 'first');
    const alias = Object.keys((await client.getBot({ id: bot.id })).bot.integrations)[0]!;
    await deploy(bot, 'second', { integrations: { [alias]: null } });
    const [, first] = await versionsOf(bot);

    await rollBack(bot, first!.id);

    const { logs } = await client.getBotLogs({ id: bot.id, timeStart: new Date(clock.now() - 60_000).toISOString() });
    const messages = logs.map(({ message }) => message);
    expect(messages).toContain('The version uses the integration chat, which is no longer installed. Install it.');
    expect(messages).toContain(`The version ${first!.name} is deployed.`);
    const { records } = await client.getAuditRecords({ id: bot.workspace.id });
    expect(records[0]).toMatchObject({ action: 'DEPLOY_BOT', resourceId: bot.id, value: `version: ${first!.id}` });
  });

  it('keeps the former code running if the code of the version cannot start, and returns the reason', async () => {
    const bot = await newBot();
    const { client } = bot.workspace.owner;
    await client.updateBot({ id: bot.id, code: "throw new Error('no kettle')" });
    await deploy(bot, 'good');
    const [, bad] = await versionsOf(bot);
    const before = (await findBot(bot.id))!.running;

    const { status, body } = await rollBack(bot, bad!.id);

    expect({ status, body }).toEqual({
      status: 200,
      body: { status: 'active', statusReason: expect.stringContaining('no kettle') },
    });
    expect((await findBot(bot.id))!.running).toEqual(before);
  });

  it('lets one of several concurrent deployments win, whose code runs', async () => {
    const bot = await newBot();
    for (const name of ['a', 'b', 'c']) await deploy(bot, name);
    const versions = await versionsOf(bot);

    const answers = await Promise.all(versions.map(({ id }) => rollBack(bot, id)));
    await settled();

    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    const { rollout, running, versionId } = (await findBot(bot.id))!;
    expect(running!.revision).toBe(rollout!.revision);
    const active = (await versionsOf(bot)).filter(each => each.active);
    expect(active.map(({ id }) => id)).toEqual([versionId]);
    const { say, texts } = await talkTo(bot);
    await say('who?');
    const expected = ['c', 'b', 'a'][versions.findIndex(({ id }) => id === versionId)]!;
    await eventually(async () => expect(await texts()).toEqual(['who?', expected]));
  });

  it('returns 404 for an unknown version, one of another bot, and to another workspace', async () => {
    const [bot, other] = [await newBot(), await newBot()];
    await deploy(bot, 'first');
    await deploy(other, 'first');
    const [own, foreign] = [(await versionsOf(bot))[0]!.id, (await versionsOf(other))[0]!.id];
    const stranger = await newWorkspace();

    const answers = [
      await rollBack(bot, foreign),
      await rollBack(bot, `ver_${'0'.repeat(24)}`),
      await rollBack(bot, '../x'),
      await stranger.call('POST', `/bots/${bot.id}/versions/deploy`, { body: { versionId: own } }),
    ];

    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404]);
  });

  it('returns 403 to a token whose scopes do not include deployments', async () => {
    const bot = await newBot();
    await deploy(bot, 'first');
    const [first] = await versionsOf(bot);
    const token = await newScopedToken(bot.workspace, ['admin:read', 'admin:createBotVersion']);

    const { status } = await bot.workspace.call('POST', `/bots/${bot.id}/versions/deploy`, {
      token,
      body: { versionId: first!.id },
    });

    expect(status).toBe(403);
  });
});
