import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { clock } from '#shared/core/clock.ts';
import { handoffsOf, newConversation, newTalk } from '#test/support/handoffs.ts';
import { call, eventually, isLeftOut, newBot, type TestBot, useSharedPlatform } from '#test/support/platform.ts';
import { type Listener, listenOwn, watchBot } from '#test/support/sockets.ts';

useSharedPlatform();

const open: Listener[] = [];
afterEach(() => {
  for (const each of open.splice(0)) each.close();
});

let bot: TestBot;
beforeAll(async () => {
  bot = await newBot();
});

const presenceOf = async (conversationId: string, token = bot.tokens.bot) =>
  bot.call('GET', `/conversations/${conversationId}/presence`, { token });
const visitorOf = async (conversationId: string) => (await presenceOf(conversationId)).body.visitor;
const type = (conversationId: string, key: string, isTyping: boolean) =>
  call(`${bot.chatUrl}/conversations/${conversationId}/typing`, { method: 'POST', key, body: { isTyping } });

describe('GET /v1/chat/conversations/{id}/presence', () => {
  it('returns nobody for a new conversation', async () => {
    const { status, body } = await presenceOf(await newConversation(bot));

    expect({ status, body }).toEqual({ status: 200, body: { visitor: { isOnline: false }, members: [] } });
  });

  it.skipIf(isLeftOut('stream'))('shows an end user as online while their connection is open', async () => {
    const { conversationId, key } = await newTalk(bot);
    const listener = await listenOwn({ chatUrl: bot.chatUrl, conversationId, key });
    open.push(listener);

    expect((await visitorOf(conversationId)).isOnline).toBe(true);
    listener.close();

    await eventually(async () => expect((await visitorOf(conversationId)).isOnline).toBe(false));
  });

  it('shows the typing of an end user until they stop or for ten seconds', async () => {
    const { conversationId, key } = await newTalk(bot);
    await type(conversationId, key, true);
    const typing = await visitorOf(conversationId);
    await type(conversationId, key, false);
    const stopped = await visitorOf(conversationId);
    await type(conversationId, key, true);
    clock.advance(10_001);

    const expired = await visitorOf(conversationId);

    expect([typing.typingAt, stopped.typingAt, expired.typingAt]).toEqual([expect.any(String), undefined, undefined]);
    expect(Date.parse(expired.lastSeenAt)).toBeLessThan(clock.now() - 10_000);
  });

  it('takes neither the assignee nor the bot for the end user', async () => {
    const { conversationId, say } = await newTalk(bot);
    const messageId = await say('Hello');
    const { token, accountId } = bot.workspace.owner;
    const { body } = await handoffsOf(bot, token).start(conversationId, { accountId });
    await bot.call('POST', `/handoffs/${body.handoff.id}/typing`, { token, body: {} });
    await bot.call('PUT', `/handoffs/${body.handoff.id}/read`, { token, body: { messageId } });

    expect(await visitorOf(conversationId)).toEqual({ isOnline: false });
  });

  it('is read by viewers, agents and the bot, not by integrations', async () => {
    const conversationId = await newConversation(bot);
    const [viewer, agent] = [await bot.workspace.join('viewer'), await bot.workspace.join('agent')];
    const tokens = [viewer.token, agent.token, bot.tokens.bot, bot.tokens.integration];

    const answers = await Promise.all(tokens.map(token => presenceOf(conversationId, token)));

    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 403]);
  });

  it('returns 404 for an unknown conversation and one of another bot', async () => {
    const other = await newConversation(await newBot());

    const answers = [await presenceOf('none'), await presenceOf(other)];

    expect(answers.map(({ status }) => status)).toEqual([404, 404]);
  });
});

describe.skipIf(isLeftOut('stream'))('the topic presence', () => {
  const noticesOf = ({ frames }: Listener, conversationId: string) =>
    frames.filter(({ data }) => data.topics.includes('presence') && data.conversationIds.includes(conversationId));

  async function watch() {
    const watcher = await watchBot(bot.id, bot.workspace.owner.token);
    open.push(watcher);
    return watcher;
  }

  it('announces the start and the end of typing, without data', async () => {
    const { conversationId, key } = await newTalk(bot);
    const watcher = await watch();

    await type(conversationId, key, true);
    await eventually(async () => expect(noticesOf(watcher, conversationId)).toHaveLength(1));
    await type(conversationId, key, false);

    await eventually(async () => expect(noticesOf(watcher, conversationId)).toHaveLength(2));
    for (const { data } of noticesOf(watcher, conversationId)) {
      expect(Object.keys(data).sort()).toEqual(['botId', 'conversationIds', 'topics']);
    }
  });

  it('announces another page', async () => {
    const { conversationId, key } = await newTalk(bot);
    const watcher = await watch();

    await call(`${bot.chatUrl}/conversations/${conversationId}/visit`, {
      method: 'PUT',
      key,
      body: { url: 'https://shop.example/' },
    });

    await eventually(async () => expect(noticesOf(watcher, conversationId)).toHaveLength(1));
  });
});
