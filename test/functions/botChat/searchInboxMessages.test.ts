import { beforeAll, describe, expect, it } from 'vitest';
import { searchMessages } from '#shared/domain/botChat/search/searchMessages.ts';
import { newTalk } from '#test/support/handoffs.ts';
import { apiBaseUrl, call, newBot, settled, type TestBot, useSharedPlatform } from '#test/support/platform.ts';

useSharedPlatform();

type Member = Awaited<ReturnType<TestBot['workspace']['join']>>;

let bot: TestBot;
let agent: Member;

beforeAll(async () => {
  bot = await newBot();
  agent = await bot.workspace.join('agent');
});

const request = (query: Record<string, string>, token = agent.token, workspaceId = bot.workspace.id) =>
  call(`${apiBaseUrl()}/v1/chat/inbox/search/messages?${new URLSearchParams(query)}`, {
    headers: { authorization: `Bearer ${token}`, 'x-workspace-id': workspaceId },
  });
const search = async (query: string, more: Record<string, string> = {}) => (await request({ query, ...more })).body;

async function said(own: TestBot, ...texts: string[]) {
  const talk = await newTalk(own);
  const ids: string[] = [];
  for (const text of texts) ids.push(await talk.say(text));
  return { ...talk, ids };
}

describe('GET /v1/chat/inbox/search/messages', () => {
  it('finds a text regardless of case and diacritics, with an excerpt and the conversation', async () => {
    const own = await newBot(bot.workspace);
    const before = 'Dear team, for two weeks I have been waiting for the parcel of my neighbour in the ';
    const { userId, ids } = await said(own, 'Hello', `${before}große Müllerstraße.`, 'Thanks');
    await settled();

    const { results, searched, meta } = await search('MULLERSTRASSE', { botIds: own.id });

    expect(results).toHaveLength(1);
    expect(results[0]).toMatchObject({
      botId: own.id,
      conversation: { preview: { user: { id: userId }, lastMessage: { text: 'Thanks' } } },
      message: { id: expect.stringMatching(/^msg_/), author: 'user', userId, type: 'text' },
      excerpt: { before: expect.stringMatching(/^….{60}$/), match: 'Müllerstraße', after: '.' },
    });
    expect(results[0].message.id).toBe(ids[1]);
    expect(searched).toEqual({ conversations: 1, to: results[0].conversation.updatedAt });
    expect(meta).toEqual({});
  });

  it('returns the latest match of each conversation, newest activity of all bots first', async () => {
    const [one, two] = [await newBot(bot.workspace), await newBot(bot.workspace)];
    await said(one, 'invoice 1');
    const { ids } = await said(two, 'invoice 2', 'invoice 3', 'bye');
    await settled();

    const { results } = await search('invoice', { 'botIds[0]': one.id, 'botIds[1]': two.id });

    expect(results.map((each: { botId: string }) => each.botId)).toEqual([two.id, one.id]);
    expect(results[0].message.id).toBe(ids[1]);
  });

  it('searches the latest 100 messages of a conversation', async () => {
    const own = await newBot(bot.workspace);
    const talk = await said(own, 'needle');
    const filler = async () => talk.say('hay');
    for (let i = 0; i < 99; i++) await filler();
    await settled();
    const before = await search('needle', { botIds: own.id });

    await filler();

    expect(before.results).toHaveLength(1);
    expect((await search('needle', { botIds: own.id })).results).toEqual([]);
  });

  it('continues with older conversations until all were searched', async () => {
    const own = await newBot(bot.workspace);
    for (let i = 0; i < 5; i++) await said(own, `ticket ${i}`);
    await settled();

    const found: string[] = [];
    for (let nextToken: string | undefined, isEnd = false; !isEnd; ) {
      const page = await search('ticket', { botIds: own.id, pageSize: '2', ...(nextToken ? { nextToken } : {}) });
      found.push(...page.results.map((each: { excerpt: { after: string } }) => each.excerpt.after));
      nextToken = page.meta.nextToken;
      isEnd = nextToken === undefined;
    }

    expect(found).toEqual([' 4', ' 3', ' 2', ' 1', ' 0']);
  });

  it('ends with a token when the time is up', async () => {
    const own = await newBot(bot.workspace);
    for (let i = 0; i < 21; i++) await newTalk(own);
    await settled();
    const options = { pageSize: 20, after: undefined };

    const late = await searchMessages([own.id], 'absent', { ...options, isTimeLeft: () => false });
    const rest = await searchMessages([own.id], 'absent', { ...options, after: late.next, isTimeLeft: () => false });

    expect([late.searched, rest.searched, rest.next]).toEqual([20, 1, undefined]);
  });

  it('finds neither deleted messages nor those of deleted conversations', async () => {
    const own = await newBot(bot.workspace);
    const one = await said(own, 'vanish');
    const two = await said(own, 'vanish');
    await settled();

    await one.client.deleteMessage({ id: one.ids[0]! });
    await two.client.deleteConversation({ id: two.conversationId });

    expect((await search('vanish', { botIds: own.id })).results).toEqual([]);
  });

  it('finds nothing of other workspaces', async () => {
    const stranger = await newBot();
    await said(stranger, 'confidential');
    await settled();

    expect((await search('confidential')).results).toEqual([]);
    expect((await search('confidential', { botIds: stranger.id })).results).toEqual([]);
    expect((await request({ query: 'confidential' }, agent.token, stranger.workspace.id)).status).toBe(403);
  });

  it('returns 400 for a query of one character', async () => {
    const { status, body } = await request({ query: ' a' });

    expect([status, body.type]).toEqual([400, 'InvalidPayload']);
  });
});
