/** Tests that a bot's next endpoint receives what happened while the bot had none. */
import { afterEach, describe, expect, it } from 'vitest';
import { clock } from '#shared/core/clock.ts';
import { catchUp } from '#shared/events/delivery/catchUp.ts';
import { findBot } from '#shared/storage/dynamodb/bots/bots.ts';
import { startEndpoint, type TestEndpoint } from '#test/support/endpoint.ts';
import {
  eventually,
  isLeftOut,
  newBot,
  newUser,
  settled,
  type TestBot,
  useSharedPlatform,
} from '#test/support/platform.ts';

useSharedPlatform();

const HOUR_MS = 3_600_000;

const endpoints: TestEndpoint[] = [];
afterEach(() => {
  for (const each of endpoints.splice(0)) each.stop();
});

async function endpoint() {
  const started = await startEndpoint();
  endpoints.push(started);
  return started;
}

/** A user of a bot's chat who writes into two conversations. */
async function newTalks(bot: TestBot) {
  const { client } = await newUser(bot);
  const ids: string[] = [];
  for (let i = 0; i < 2; i++) ids.push((await client.createConversation({})).conversation.id);
  const say = (text: string, i = 0) =>
    client.createMessage({ conversationId: ids[i]!, payload: { type: 'text', text } });
  return { client, conversationId: ids[0]!, say };
}

const setUrl = ({ id, workspace }: TestBot, url: string | null) =>
  workspace.owner.client.updateBot({ id, url } as never);

const textsOf = ({ events }: TestEndpoint) =>
  events().flatMap(({ type, payload }) => (type === 'message_created' ? payload.message.payload.text : []));

describe('a new endpoint', () => {
  it('receives earlier messages in order and once', async () => {
    const bot = await newBot();
    const { say } = await newTalks(bot);
    for (const text of ['1', '2', '3']) await say(text);
    await say('elsewhere', 1);
    await settled();
    const { url, ...heard } = await endpoint();

    await setUrl(bot, url);
    await eventually(async () => expect(textsOf(heard as TestEndpoint)).toHaveLength(4));
    await say('4');
    await settled();

    const texts = textsOf(heard as TestEndpoint);
    expect(texts.filter(text => text !== 'elsewhere')).toEqual(['1', '2', '3', '4']);
    expect(texts).toHaveLength(5);
  });

  it('receives custom events from users and createEvent', async () => {
    const bot = await newBot();
    const { client, conversationId } = await newTalks(bot);
    await client.createEvent({ conversationId, payload: { from: 'user' } });
    await bot.client.createEvent({ type: 'nudge', payload: { from: 'bot' } });
    await settled();
    const heard = await endpoint();

    await setUrl(bot, heard.url);

    await eventually(async () =>
      expect(
        heard
          .events()
          .map(({ type }) => type)
          .sort(),
      ).toEqual(['chat:custom', 'nudge']),
    );
  });

  it('receives the messages sent between two endpoints, and nothing twice', async () => {
    const bot = await newBot();
    const { say } = await newTalks(bot);
    const [former, next] = [await endpoint(), await endpoint()];
    await setUrl(bot, former.url);
    await say('before');
    await eventually(async () => expect(textsOf(former)).toEqual(['before']));
    await setUrl(bot, null);
    await say('between');
    await settled();

    await setUrl(bot, next.url);
    await eventually(async () => expect(textsOf(next)).toEqual(['between']));
    await settled();

    expect(textsOf(former)).toEqual(['before']);
    expect(textsOf(next)).toEqual(['between']);
  });

  it('receives the events that failed at the previous endpoint', async () => {
    const bot = await newBot();
    const { say } = await newTalks(bot);
    await setUrl(bot, 'http://127.0.0.1:9');
    await say('unheard');
    await settled();
    await setUrl(bot, null);
    await settled();
    const heard = await endpoint();

    await setUrl(bot, heard.url);

    await eventually(async () => expect(textsOf(heard)).toEqual(['unheard']));
  });

  it('receives earlier messages in deployed code', async () => {
    const bot = await newBot();
    const { say } = await newTalks(bot);
    await say('early');
    await settled();

    await bot.workspace.owner.client.updateBot({
      id: bot.id,
      code: `exports.handler = async request => {
        const { event } = JSON.parse(request.body);
        if (event) console.log('got ' + event.payload.message.payload.text);
        return { status: 200 };
      };`,
    });

    await eventually(async () => {
      const { logs } = await bot.workspace.owner.client.getBotLogs({
        id: bot.id,
        timeStart: new Date(clock.now() - HOUR_MS).toISOString(),
      });
      expect(logs.map(({ message }) => message)).toContain('got early');
    });
  });

  it.skipIf(isLeftOut('clock'))('receives nothing older than three hours', async () => {
    const bot = await newBot();
    const { say } = await newTalks(bot);
    await say('old');
    await bot.client.createEvent({ type: 'old', payload: {} });
    clock.advance(3 * HOUR_MS + 1_000);
    await say('new');
    await settled();
    const heard = await endpoint();

    await setUrl(bot, heard.url);
    await eventually(async () => expect(textsOf(heard)).toEqual(['new']));
    await settled();

    expect(heard.events()).toHaveLength(1);
  });

  it('receives all messages if a job times out after each conversation, and once if a job repeats', async () => {
    const bot = await newBot();
    const { say } = await newTalks(bot);
    await say('1');
    await say('2', 1);
    await settled();
    const heard = await endpoint();
    await setUrl(bot, heard.url);
    const { version } = (await findBot(bot.id))!;
    const job = { botId: bot.id, version: version + 1, sinceMs: clock.now() - HOUR_MS, phase: 'messages' as const };

    for (let i = 0; i < 2; i++) await catchUp(job, () => 0);
    await eventually(async () => expect(textsOf(heard).sort()).toEqual(['1', '2']));
    await settled();

    expect(textsOf(heard)).toHaveLength(2);
  });
});

describe('a bot without an endpoint', () => {
  it('creates no events for its messages, so a chat answered only by people does not pay for them', async () => {
    const bot = await newBot();
    const { say } = await newTalks(bot);

    await say('hello');
    await settled();

    expect((await bot.client.listEvents({})).events).toEqual([]);
  });
});
