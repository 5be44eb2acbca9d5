import { randomBytes } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  type AdminClient,
  newBot,
  newWorkspace,
  type TestBot,
  type TestWorkspace,
  useSharedPlatform,
} from '#test/support/platform.ts';

useSharedPlatform();

type Query = Parameters<AdminClient['listMessages']>[0];

let workspace: TestWorkspace;
let bot: TestBot;
beforeAll(async () => {
  workspace = await newWorkspace();
  bot = await newBot(workspace);
});

async function setUp(of = bot) {
  const { conversation } = await of.client.createConversation({ channel: 'channel', tags: {} });
  const conversationId = conversation.id;
  const say = async (text: string, tags: Record<string, string> = {}) =>
    (await of.client.createMessage({ conversationId, userId: of.id, type: 'text', payload: { text }, tags })).message;
  const importMessage = async (createdAt: string, text: string) =>
    (
      await of.client.importMessages({
        messages: [
          {
            conversationId,
            userId: of.id,
            type: 'text',
            payload: { text },
            tags: {},
            createdAt,
            discriminateByTags: [],
          },
        ],
      })
    ).messages[0]!;
  return { conversationId, say, importMessage };
}

const textsOf = (messages: { payload: Record<string, unknown> }[]) => messages.map(({ payload }) => payload.text);
const textsBy = async (query: Query, of = bot) => textsOf((await of.client.listMessages(query)).messages);

/** Returns the texts on each page. */
async function pagesOf(query: Query, of = bot) {
  const pages: unknown[][] = [];
  let nextToken: string | undefined;
  do {
    const { messages, meta } = await of.client.listMessages({ ...query, nextToken });
    pages.push(textsOf(messages));
    nextToken = meta.nextToken;
  } while (nextToken && pages.length < 20);
  return pages;
}

describe('GET /v1/chat/messages', () => {
  it('returns 200 with the messages of a conversation, newest first', async () => {
    const { conversationId, say } = await setUp();
    const messages = [await say('a'), await say('b'), await say('c')];

    const { status, body } = await bot.call('GET', `/messages?conversationId=${conversationId}`);

    expect(status).toBe(200);
    expect(body).toEqual({ messages: messages.reverse(), meta: {} });
  });

  it('pages through a conversation without repetition', async () => {
    const { conversationId, say } = await setUp();
    for (const text of 'abcde') await say(text, { all: 'x', of: conversationId });

    const plain = await pagesOf({ conversationId, pageSize: 2 });
    const tagged = await pagesOf({ conversationId, pageSize: 2, tags: { all: 'x' } });
    const anywhere = await pagesOf({ pageSize: 2, tags: { of: conversationId } });

    expect([plain, tagged, anywhere].map(pages => pages.flat())).toEqual([[...'edcba'], [...'edcba'], [...'edcba']]);
    expect(plain[0]).toEqual(['e', 'd']);
  });

  it('filters by tags, all of which must match', async () => {
    const { conversationId, say } = await setUp();
    const { say: sayElsewhere } = await setUp();
    await say('a', { n: '1', of: 'tags' });
    await say('b', { n: '2', of: 'tags' });
    await sayElsewhere('c', { n: '1', of: 'tags' });

    expect(await textsBy({ tags: { n: '1', of: 'tags' } })).toEqual(['c', 'a']);
    expect(await textsBy({ conversationId, tags: { of: 'tags' } })).toEqual(['b', 'a']);
    expect(await textsBy({ tags: { n: '3', of: 'tags' } })).toEqual([]);
  });

  it('filters by time, with both ends included', async () => {
    const { conversationId, importMessage } = await setUp();
    const days = ['2020-01-01', '2020-01-02', '2020-01-03', '2020-01-04'].map(day => `${day}T00:00:00.000Z`);
    for (const [i, day] of days.entries()) await importMessage(day, 'abcd'[i]!);

    const [, second, third] = days;

    expect(await textsBy({ conversationId, afterDate: second, beforeDate: third })).toEqual(['c', 'b']);
    expect(await textsBy({ conversationId, afterDate: third })).toEqual(['d', 'c']);
    expect(await textsBy({ conversationId, beforeDate: second })).toEqual(['b', 'a']);
  });

  it('lists all messages of a bot by conversation, newest conversation first, across pages', async () => {
    const own = await newBot(workspace);
    const first = await setUp(own);
    const empty = await setUp(own);
    const second = await setUp(own);
    for (const text of ['a', 'b', 'c']) await first.say(text);
    for (const text of ['d', 'e']) await second.say(text);
    await first.say('f');

    const pages = await pagesOf({ pageSize: 2 }, own);

    expect(empty.conversationId).toBeDefined();
    expect(await textsBy({}, own)).toEqual([...'edfcba']);
    expect(pages.flat()).toEqual([...'edfcba']);
  });

  it('finds messages of a bot before a date in a newer conversation', async () => {
    const own = await newBot(workspace);
    const { importMessage, say } = await setUp(own);
    await importMessage('2020-01-01T00:00:00.000Z', 'old');
    await say('now');

    const texts = await textsBy({ beforeDate: '2021-01-01T00:00:00.000Z' }, own);

    expect(texts).toEqual(['old']);
  });

  it('finds recent messages of a bot in a conversation older than the date', async () => {
    const own = await newBot(workspace);
    const { say } = await setUp(own);
    await say('before');
    const now = await say('now');

    const texts = await textsBy({ afterDate: now.createdAt }, own);

    expect(texts).toContain('now');
    expect(await textsBy({ afterDate: '2019-01-01T00:00:00.000Z' }, own)).toEqual(['now', 'before']);
  });

  it('accepts dates outside the range of message times', async () => {
    const { conversationId, say } = await setUp();
    await say('a');

    expect(await textsBy({ conversationId, afterDate: '1960-01-01T00:00:00Z' })).toEqual(['a']);
    expect(await textsBy({ conversationId, beforeDate: '1960-01-01T00:00:00Z' })).toEqual([]);
    expect(await textsBy({ conversationId, afterDate: '2100-01-01T00:00:00Z' })).toEqual([]);
    expect(await textsBy({ conversationId, beforeDate: '2100-01-01T00:00:00Z' })).toEqual(['a']);
  });

  const REVERSED = { afterDate: '0020-02-29T00:00:00Z', beforeDate: '0020-02-29T00:00:00Z' };

  it('returns 200 with an empty page for an impossible range', async () => {
    const { conversationId, say } = await setUp();
    await say('a', { of: conversationId });

    const answers = await Promise.all(
      [
        { ...REVERSED },
        { ...REVERSED, conversationId },
        { ...REVERSED, tags: { of: conversationId } },
        { afterDate: '2022-01-01T00:00:00Z', beforeDate: '2021-01-01T00:00:00Z', conversationId },
        { afterDate: '2200-01-01T00:00:00Z', beforeDate: '2100-01-01T00:00:00Z' },
      ].map(query => bot.client.listMessages(query)),
    );

    for (const { messages } of answers) expect(messages).toEqual([]);
  });

  it('returns 404 for a missing conversation although the range is empty', async () => {
    const path = `/messages?conversationId=convo_${'z'.repeat(22)}&afterDate=${REVERSED.afterDate}&beforeDate=${REVERSED.beforeDate}`;

    expect(await bot.call('GET', path)).toMatchObject({ status: 404, body: { type: 'ResourceNotFound' } });
  });

  it('pages past fifty conversations without messages after a date', async () => {
    const own = await newBot(workspace);
    const { say } = await setUp(own);
    const message = await say('a');
    for (let i = 0; i < 51; i++) await setUp(own);

    const pages = await pagesOf({ afterDate: message.createdAt }, own);

    expect(pages).toEqual([[], ['a']]);
  });

  it.each([
    ['one conversation', 1],
    ['many conversations', 8],
  ])('shortens pages of large messages in %s', async (_, conversations) => {
    const own = await newBot(workspace);
    const scenes = await Promise.all(Array.from({ length: conversations }, () => setUp(own)));
    const texts = Array.from({ length: 8 }, () => randomBytes(680_000).toString('base64'));
    for (const [i, text] of texts.entries()) await scenes[i % conversations]!.say(text);

    const pages = await pagesOf(conversations === 1 ? { conversationId: scenes[0]!.conversationId } : {}, own);

    expect(pages.length).toBeGreaterThan(1);
    expect(pages.flat().sort().join() === texts.sort().join()).toBe(true);
  });

  it('returns 404 for an unknown conversation or one of another bot', async () => {
    const { conversationId } = await setUp(await newBot(workspace));

    const answers = [
      await bot.call('GET', `/messages?conversationId=${conversationId}`),
      await bot.call('GET', `/messages?conversationId=${conversationId}&tags[a]=1`),
      await bot.call('GET', '/messages?conversationId=no-such'),
    ];

    for (const answer of answers) expect(answer).toMatchObject({ status: 404, body: { type: 'ResourceNotFound' } });
  });

  it.each([
    ['pageSize=0', 'pageSize'],
    ['pageSize=101', 'pageSize'],
    ['afterDate=yesterday', 'afterDate'],
    ['beforeDate=7', 'beforeDate'],
    ['tags=care', 'tags'],
    ['nextToken=nonsense', 'nextToken'],
  ])('returns 400 for ?%s and names the field', async (query, path) => {
    const { status, body } = await bot.call('GET', `/messages?${query}`);

    expect({ status, type: body.type, path: body.metadata?.issues[0].path }).toEqual({
      status: 400,
      type: 'InvalidPayload',
      path,
    });
  });
});
