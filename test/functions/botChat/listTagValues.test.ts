import { beforeAll, describe, expect, it } from 'vitest';
import { eventually, newBot, type TestBot, useSharedPlatform } from '#test/support/platform.ts';

useSharedPlatform();

let bot: TestBot;
beforeAll(async () => {
  bot = await newBot();
});

type Type = 'conversation' | 'message' | 'user';
const valuesOf = async (type: Type, key: string) =>
  (await bot.client.listTagValues({ type, key })).tags.map(({ value }) => value);
const newConversation = async (tags: Record<string, string>) =>
  (await bot.client.createConversation({ channel: 'direct', tags })).conversation;

describe('GET /v1/chat/tags/{key}/values', () => {
  it('returns each value once, sorted', async () => {
    for (const colour of ['red', 'blue', 'red', 'green']) await newConversation({ colour });

    const { status, body } = await bot.call('GET', '/tags/colour/values?type=conversation');

    expect({ status, body }).toEqual({
      status: 200,
      body: { tags: [{ value: 'blue' }, { value: 'green' }, { value: 'red' }], meta: {} },
    });
  });

  it('separates values by record type and by bot', async () => {
    const stranger = await newBot();
    const { id: conversationId } = await newConversation({ kind: 'of a conversation' });
    await bot.client.createUser({ tags: { kind: 'of a user' } });
    const said = { conversationId, userId: bot.id, type: 'text', payload: { text: 'hi' } };
    await bot.client.createMessage({ ...said, tags: { kind: 'of a message' } });

    const values = [
      await valuesOf('conversation', 'kind'),
      await valuesOf('user', 'kind'),
      await valuesOf('message', 'kind'),
    ];

    expect(values).toEqual([['of a conversation'], ['of a user'], ['of a message']]);
    expect((await stranger.client.listTagValues({ type: 'user', key: 'kind' })).tags).toEqual([]);
  });

  it('distinguishes names with a common prefix', async () => {
    await newConversation({ name: 'a', 'name#more': 'b', 'name:more': 'c', names: 'd' });

    const values = await Promise.all(
      ['name', 'name#more', 'name:more', 'names', 'nam'].map(key => valuesOf('conversation', key)),
    );

    expect(values).toEqual([['a'], ['b'], ['c'], ['d'], []]);
  });

  it('pages through values, including ones with a long common prefix', async () => {
    const start = 'x'.repeat(400);
    const values = [`${start}1`, `${start}2`, `${start}3`, 'a', 'ä', '🦜'];
    for (const value of values) await newConversation({ long: value });

    const seen: string[] = [];
    const sizes: number[] = [];
    let nextToken: string | undefined;
    do {
      const page = await bot.client.listTagValues({ type: 'conversation', key: 'long', pageSize: 2, nextToken });
      seen.push(...page.tags.map(({ value }) => value));
      sizes.push(page.tags.length);
      nextToken = page.meta.nextToken;
    } while (nextToken);

    expect(sizes).toEqual([2, 2, 2]);
    expect(seen).toHaveLength(6);
    expect(new Set(seen)).toEqual(new Set(values));
    expect(seen[0]).toBe('a');
  });

  it.each([
    ['that are cut inside of a character', [0, 1, 2, 3].map(i => `${'x'.repeat(199)}🦜${i}`)],
    ['whose characters UTF-8 and UTF-16 order differently', ['ｱ', 'ｲ', 'ｳ', '🦜', '🦝', '🦞']],
  ])('neither loses nor repeats values across pages, with values %s', async (name, values) => {
    const key = name.replaceAll(' ', '-');
    for (const value of values) await newConversation({ [key]: value });

    const seen: string[] = [];
    let nextToken: string | undefined;
    do {
      const page = await bot.client.listTagValues({ type: 'conversation', key, pageSize: 1, nextToken });
      seen.push(...page.tags.map(({ value }) => value));
      nextToken = page.meta.nextToken;
    } while (nextToken && seen.length <= values.length);

    expect(seen.sort()).toEqual([...values].sort());
  });

  it('omits a value without records until a record has it again', async () => {
    const [one, two] = [await newConversation({ mood: 'good' }), await newConversation({ mood: 'good' })];
    const three = await newConversation({ mood: 'bad' });
    expect(await valuesOf('conversation', 'mood')).toEqual(['bad', 'good']);

    await bot.client.updateConversation({ id: one.id, tags: { mood: '' } });
    await bot.client.deleteConversation({ id: three.id });
    await eventually(async () => expect(await valuesOf('conversation', 'mood')).toEqual(['good']));
    await bot.client.updateConversation({ id: two.id, tags: { mood: 'worse' } });
    await eventually(async () => expect(await valuesOf('conversation', 'mood')).toEqual(['worse']));
    await bot.client.updateConversation({ id: one.id, tags: { mood: 'good' } });

    expect(await valuesOf('conversation', 'mood')).toEqual(['good', 'worse']);
  });

  it("returns an integration's own tags", async () => {
    await newConversation({ id: 'of the bot', 'chat:id': 'of the integration' });

    const { tags } = await bot.integration.listTagValues({ type: 'conversation', key: 'id' });

    expect(tags).toEqual([{ value: 'of the integration' }]);
    expect(await valuesOf('conversation', 'id')).toEqual(['of the bot']);
    expect(await valuesOf('conversation', 'chat:id')).toEqual(['of the integration']);
  });

  it.each([
    ['/tags/a/values', 'type'],
    ['/tags/a/values?type=workflow', 'type'],
    ['/tags/a.b/values?type=user', 'key'],
    ['/tags/a/values?type=user&pageSize=0', 'pageSize'],
    ['/tags/a/values?type=user&nextToken=garbage', 'nextToken'],
  ])('returns 400 for %s and names the field', async (path, fault) => {
    const { status, body } = await bot.call('GET', path);

    expect({ status, type: body.type, path: body.metadata.issues[0].path }).toEqual({
      status: 400,
      type: 'InvalidPayload',
      path: fault,
    });
  });
});
