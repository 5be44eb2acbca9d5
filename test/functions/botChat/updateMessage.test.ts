import { beforeAll, describe, expect, it } from 'vitest';
import { eventually, newBot, newUser, type TestBot, useSharedPlatform } from '#test/support/platform.ts';

useSharedPlatform();

let bot: TestBot;
beforeAll(async () => {
  bot = await newBot();
});

async function newMessage(fields: { schedule?: { delay: number } } = {}) {
  const { conversation } = await bot.client.createConversation({ channel: 'channel', tags: {} });
  const { message } = await bot.client.createMessage({
    conversationId: conversation.id,
    userId: bot.id,
    type: 'text',
    payload: { text: 'hi', extra: 1 },
    tags: { a: '1', b: '2' },
    ...fields,
  });
  return message;
}
const put = (id: string, body: unknown, headers: Record<string, string> = {}) =>
  bot.call('PUT', `/messages/${id}`, { body, headers });

describe('PUT /v1/chat/messages/{id}', () => {
  it('returns 200 with the message after merging its tags', async () => {
    const message = await newMessage();

    const { status, body } = await put(message.id, { tags: { a: '', b: '3', c: '4' } });

    expect(status).toBe(200);
    expect(body).toEqual({
      message: { ...message, tags: { b: '3', c: '4' }, updatedAt: expect.any(String) },
    });
    expect(body.message.updatedAt >= message.updatedAt).toBe(true);
    expect((await bot.client.getMessage({ id: message.id })).message).toEqual(body.message);
  });

  it('sends listeners each new payload, but no tag changes', async () => {
    const { client, key } = await newUser(bot);
    const { conversation } = await client.createConversation({});
    const { message } = await bot.client.createMessage({
      conversationId: conversation.id,
      userId: bot.id,
      type: 'text',
      payload: { text: 'One' },
      tags: {},
    });
    const { chatUrl } = bot;
    const response = await fetch(`${chatUrl}/conversations/${conversation.id}/listen`, {
      headers: { 'x-user-key': key },
    });
    let text = '';
    const reading = (async () => {
      for await (const chunk of response.body!) text += Buffer.from(chunk);
    })().catch(() => {});
    const updates = () =>
      [...text.matchAll(/^data: (.*"message_updated".*)$/gm)].map(([, data]) => JSON.parse(data!).data);

    await put(message.id, { tags: { a: '1' } });
    await put(message.id, { payload: { text: 'One two' } });
    await eventually(async () => expect(updates()).toHaveLength(1));
    await client.deleteConversation({ id: conversation.id }).catch(() => {});
    await reading;

    expect(updates()).toMatchObject([{ id: message.id, isBot: true, payload: { type: 'text', text: 'One two' } }]);
  });

  it('keeps all tags of concurrent calls and finds the message by each', async () => {
    const { id, conversationId } = await newMessage();
    const names = Array.from({ length: 10 }, (_, i) => `t${i}`);

    await Promise.all(names.map(name => bot.client.updateMessage({ id, tags: { [name]: 'x' } })));

    const { message } = await bot.client.getMessage({ id });
    expect(message.tags).toEqual({ a: '1', b: '2', ...Object.fromEntries(names.map(name => [name, 'x'])) });
    const { messages } = await bot.client.listMessages({ conversationId, tags: { t3: 'x', t7: 'x' } });
    expect(messages).toEqual([message]);
  });

  it('limits a message to 50 tags, also across concurrent calls', async () => {
    const { id } = await newMessage();
    const fifteen = (caller: number) =>
      Object.fromEntries(Array.from({ length: 15 }, (_, i) => [`${caller}x${i}`, 'x']));

    const answers = await Promise.all([1, 2, 3, 4, 5].map(caller => put(id, { tags: fifteen(caller) })));

    const { message } = await bot.client.getMessage({ id });
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 400, 400]);
    expect(Object.keys(message.tags)).toHaveLength(47);
  });

  it('replaces the payload and keeps the type', async () => {
    const message = await newMessage();

    const { body } = await put(message.id, { payload: { text: 'ho' }, type: 'image' });

    expect(body.message).toMatchObject({ type: 'text', tags: { a: '1', b: '2' } });
    expect(body.message.payload).toEqual({ text: 'ho' });
  });

  it("changes a chat user's message in the chat API", async () => {
    const { client } = await newUser(bot);
    const { conversation } = await client.createConversation({});
    const { message } = await client.createMessage({
      conversationId: conversation.id,
      payload: { type: 'text', text: 'hello' },
    });

    const { message: changed } = await bot.client.updateMessage({ id: message.id, payload: { text: 'hm' } });

    expect(changed).toMatchObject({ type: 'text', payload: { text: 'hm' }, direction: 'incoming' });
    expect((await client.getMessage({ id: message.id })).message).toEqual({
      ...message,
      payload: { type: 'text', text: 'hm' },
    });
  });

  it('returns 409 and changes nothing when If-Match names another version', async () => {
    const { id } = await newMessage();
    const etag = (await bot.call('GET', `/messages/${id}`)).headers.get('etag')!;

    const first = await put(id, { tags: { n: '1' } }, { 'if-match': etag });
    const late = await put(id, { tags: { n: '2' } }, { 'if-match': etag });
    const next = await put(id, { tags: { n: '3' } }, { 'if-match': first.headers.get('etag')! });

    expect([first.status, late.status, next.status]).toEqual([200, 409, 200]);
    expect(late.body.type).toBe('ResourceLockedConflict');
    expect(next.body.message.tags.n).toBe('3');
  });

  it('returns 409 for a scheduled message', async () => {
    const { id } = await newMessage({ schedule: { delay: 600_000 } });

    const answer = await put(id, { tags: { n: '1' } });

    expect(answer).toMatchObject({ status: 409, body: { type: 'ResourceLockedConflict' } });
  });

  it.each([
    [{ tags: { a: 7 } }, 'tags.a'],
    [{ tags: { 'a[b': 'c' } }, 'tags.a[b'],
    [{ tags: 'a' }, 'tags'],
    [{ payload: 'hi' }, 'payload'],
    [{ tags: Object.fromEntries(Array.from({ length: 49 }, (_, i) => [`n${i}`, 'x'])) }, 'tags'],
  ])('returns 400 for %j and names the field', async (fault, path) => {
    const { id } = await newMessage();

    const { status, body } = await put(id, fault);

    expect({ status, type: body.type, path: body.metadata?.issues[0].path }).toEqual({
      status: 400,
      type: 'InvalidPayload',
      path,
    });
  });

  it('returns 404 for an unknown message or one of another bot', async () => {
    const { id } = await newMessage();
    const other = await newBot(bot.workspace);

    const answers = [
      await put(`msg_${'z'.repeat(32)}`, { tags: {} }),
      await other.call('PUT', `/messages/${id}`, { body: { tags: {} } }),
    ];

    expect(answers.map(({ status }) => status)).toEqual([404, 404]);
  });
});
