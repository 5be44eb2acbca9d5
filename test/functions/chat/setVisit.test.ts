import { beforeAll, describe, expect, it } from 'vitest';
import { clock } from '#shared/core/clock.ts';
import { readItem } from '#shared/storage/dynamodb/engine/query.ts';
import { visitKey } from '#shared/storage/dynamodb/keys/chat.ts';
import { newTalk } from '#test/support/handoffs.ts';
import { call, eventually, newBot, newUser, type TestBot, useSharedPlatform } from '#test/support/platform.ts';

useSharedPlatform();

let bot: TestBot;
beforeAll(async () => {
  bot = await newBot();
});

const CHROME =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.7444.60 Safari/537.36';

async function setUp() {
  const talk = await newTalk(bot);
  const visit = (body: unknown, key = talk.key, headers: Record<string, string> = { 'user-agent': CHROME }) =>
    call(`${bot.chatUrl}/conversations/${talk.conversationId}/visit`, { method: 'PUT', key, body, headers });
  const shown = async () =>
    (await bot.call('GET', `/conversations/${talk.conversationId}/presence`)).body.visitor.visit;
  return { ...talk, visit, shown };
}
const page = (path: string) => ({ url: `https://shop.example${path}` });

describe('PUT /conversations/{id}/visit', () => {
  it('records page, language, time zone and device without secrets', async () => {
    const { visit, shown, conversationId } = await setUp();

    const { status, body } = await visit({
      url: 'https://ada:pw@shop.example/cart?session=secret&utm_source=mail#token=secret',
      title: 'Cart',
      referrer: 'https://search.example/?q=secret',
      language: 'de-AT',
      timeZone: 'Europe/Vienna',
    });

    expect({ status, body }).toEqual({ status: 200, body: {} });
    expect(await shown()).toEqual({
      page: { url: 'https://shop.example/cart?utm_source=mail', title: 'Cart', at: expect.any(String) },
      earlierPages: [],
      ...{ referrer: 'https://search.example/', language: 'de-AT', timeZone: 'Europe/Vienna' },
      ...{ browser: 'Chrome 142', os: 'Windows 10', device: 'desktop' },
    });
    const stored = JSON.stringify(await readItem(visitKey(bot.id, conversationId)));
    for (const secret of ['secret', 'ada', 'Mozilla', '127.0.0.1']) expect(stored).not.toContain(secret);
  });

  it('keeps the current page and the ten before it, newest first', async () => {
    const { visit, shown } = await setUp();

    for (let i = 0; i < 13; i++) await visit(page(`/${i}`));

    const { page: current, earlierPages } = await shown();
    expect(current.url).toBe('https://shop.example/12');
    expect(earlierPages.map(({ url }: { url: string }) => url)).toEqual(
      Array.from({ length: 10 }, (_, i) => `https://shop.example/${11 - i}`),
    );
  });

  it('adds no page for the same URL, and keeps the referrer of the first page', async () => {
    const { visit, shown } = await setUp();
    await visit({ ...page('/?a=1'), title: 'Home', referrer: 'https://search.example/' });

    await visit({ ...page('/?a=2'), title: 'Home (1)' });

    expect(await shown()).toMatchObject({
      page: { url: 'https://shop.example/', title: 'Home (1)' },
      earlierPages: [],
      referrer: 'https://search.example/',
    });
  });

  it('stores no title without a visible character', async () => {
    const { visit, shown } = await setUp();

    await visit({ ...page('/'), title: '\u200b \u2060' });

    expect((await shown()).page).not.toHaveProperty('title');
  });

  it('writes nothing for a repetition', async () => {
    const { visit, conversationId } = await setUp();
    await visit(page('/'));
    const before = await readItem(visitKey(bot.id, conversationId));

    await visit(page('/'));

    expect(await readItem(visitKey(bot.id, conversationId))).toEqual(before);
  });

  it('records the pages of concurrent tabs', async () => {
    const { visit, shown } = await setUp();

    const answers = await Promise.all(Array.from({ length: 5 }, (_, i) => visit(page(`/${i}`))));

    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    expect((await shown()).earlierPages).toHaveLength(4);
  });

  it('expires after 30 days', async () => {
    const { visit, conversationId } = await setUp();

    await visit(page('/'));

    const { ttl } = (await readItem(visitKey(bot.id, conversationId)))!;
    expect(Math.abs(ttl - clock.now() / 1000 - 30 * 24 * 60 * 60)).toBeLessThan(60);
  });

  it.each([
    ['url', { url: 'javascript:alert(1)' }],
    ['url', { url: '/cart' }],
    ['url', { url: `https://shop.example/${'a'.repeat(2_000)}` }],
    ['url', {}],
    ['title', { ...page('/'), title: 'a'.repeat(201) }],
    ['referrer', { ...page('/'), referrer: 'about:blank' }],
    ['language', { ...page('/'), language: 'de_DE; drop' }],
    ['timeZone', { ...page('/'), timeZone: 'a'.repeat(65) }],
  ])('returns 400 that names an invalid %s', async (path, body) => {
    const { visit } = await setUp();

    const answer = await visit(body);

    expect({ status: answer.status, path: answer.body.metadata.issues[0].path }).toEqual({ status: 400, path });
  });

  it('accepts any User-Agent header', async () => {
    const { visit, shown } = await setUp();

    const { status } = await visit(page('/'), undefined, { 'user-agent': 'x'.repeat(4_000) });

    expect(status).toBe(200);
    expect(await shown()).not.toHaveProperty('browser');
  });

  it('returns 403 to another user and 404 for an unknown conversation', async () => {
    const { visit } = await setUp();
    const stranger = await newUser(bot);

    const unknown = await call(`${bot.chatUrl}/conversations/none/visit`, {
      method: 'PUT',
      key: stranger.key,
      body: page('/'),
    });

    expect([(await visit(page('/'), stranger.key)).status, unknown.status]).toEqual([403, 404]);
  });

  it('is deleted with the conversation', async () => {
    const { visit, client, conversationId } = await setUp();
    await visit(page('/'));

    await client.deleteConversation({ id: conversationId });

    await eventually(async () => expect(await readItem(visitKey(bot.id, conversationId))).toBeUndefined());
  });
});
