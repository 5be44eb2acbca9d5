/** Tests that a bot without a url receives its events in deployed code. */
import { describe, expect, it } from 'vitest';
import { clock } from '#shared/core/clock.ts';
import { findBot } from '#shared/storage/dynamodb/bots/bots.ts';
import { replyingWith, talkTo } from '#test/support/deployedCode.ts';
import { eventually, newBot, type TestBot, useSharedPlatform } from '#test/support/platform.ts';

useSharedPlatform();

const deploy = (bot: TestBot, code: string) => bot.workspace.owner.client.updateBot({ id: bot.id, code });

describe('a message to a bot with deployed code', () => {
  it('receives the response of the code', async () => {
    const bot = await newBot();
    await deploy(bot, replyingWith("'You said ' + message.payload.text"));
    const { say, texts } = await talkTo(bot);

    await say('hello');

    await eventually(async () => expect(await texts()).toEqual(['hello', 'You said hello']));
  });

  it('waits during the first rollout, and is neither lost nor duplicated during later rollouts', async () => {
    const bot = await newBot();
    const { say, texts } = await talkTo(bot);
    await deploy(bot, replyingWith("'1 ' + message.payload.text"));
    const said: string[] = [];
    for (let i = 0; i < 30; i++) {
      if (i % 10 === 5) await deploy(bot, replyingWith(`'${i} ' + message.payload.text`));
      await say(`m${i}`);
      said.push(`m${i}`);
    }

    await eventually(async () => expect((await texts()).length).toBe(60), 50_000);
    const all = await texts();
    expect(all.filter(text => text.startsWith('m'))).toEqual(said);
    // Each message received one reply, in the order of the conversation.
    expect(all.filter(text => !text.startsWith('m')).map(text => text.split(' ')[1])).toEqual(said);
  });

  it('fails with the reason when the code crashes, and is sent to the url once it is set', async () => {
    const bot = await newBot();
    await deploy(
      bot,
      "exports.handler = async ({ headers }) => { if (headers['x-bp-operation'] === 'event_received') process.exit(7); return {} }",
    );
    await eventually(async () => expect((await findBot(bot.id))!.running).toBeDefined());
    const { say } = await talkTo(bot);

    await say('hello');

    const timeStart = new Date(clock.now() - 60_000).toISOString();
    await eventually(async () => {
      const { logs } = await bot.workspace.owner.client.getBotLogs({ id: bot.id, timeStart });
      expect(logs.map(({ message }) => message).join()).toMatch(/could not be delivered.*exit status 7/);
    });
  });
});
