import { beforeAll, describe, expect, it } from 'vitest';
import { mapConcurrently } from '#shared/core/concurrency.ts';
import { CROWD, crowds, newBot, type TestBot, useSharedPlatform } from '#test/support/platform.ts';

useSharedPlatform();

let bot: TestBot;
beforeAll(async () => {
  bot = await newBot();
});

async function setUp() {
  const { conversation } = await bot.client.createConversation({ channel: 'channel', tags: {} });
  const message = { conversationId: conversation.id, userId: bot.id, type: 'text', payload: { text: 'hi' } };
  return { conversationId: conversation.id, message };
}
const post = (body: unknown) => bot.call('POST', '/messages/get-or-create', { body });
const idsIn = async (conversationId: string) =>
  (await bot.client.listMessages({ conversationId })).messages.map(({ id }) => id);

describe('POST /v1/chat/messages/get-or-create', () => {
  it('returns 201 when it creates the message and 200 when it finds the same message', async () => {
    const { conversationId, message } = await setUp();

    const first = await post({ ...message, tags: { n: '1' } });
    const second = await post({ ...message, payload: undefined, tags: { n: '1' } });

    expect([first.status, second.status]).toEqual([201, 200]);
    expect(first.body).toEqual({
      message: expect.objectContaining({ ...message, direction: 'outgoing', tags: { n: '1' } }),
      meta: { created: true },
    });
    expect(second.body).toEqual({ message: first.body.message, meta: { created: false } });
    expect(await idsIn(conversationId)).toEqual([first.body.message.id]);
  });

  it('reads up to 1,000 candidates for a match, then returns 413 with the fix', {
    timeout: 180_000,
  }, async () => {
    const { message } = await setUp();
    const createdAt = '2020-01-01T00:00:00Z';
    const batches = Array.from({ length: 10 }, (_, batch) =>
      Array.from({ length: 100 }, (_, i) => ({
        ...message,
        tags: { team: 'a', kind: 'b', own: `${batch * 100 + i}` },
        createdAt,
        discriminateByTags: [],
      })),
    );
    const importBatch = (messages: (typeof batches)[number]) =>
      bot.call('POST', '/messages/import-messages', { body: { messages } });
    await mapConcurrently(batches.slice(1), 3, importBatch);

    const within = await post({ ...message, tags: { team: 'a' } });
    await importBatch(batches[0]!);
    const beyond = await post({ ...message, tags: { kind: 'b' } });
    const wayOut = await post({ ...message, tags: { kind: 'b', id: '1' }, discriminateByTags: ['id'] });

    expect([within.status, wayOut.status]).toEqual([201, 201]);
    expect(beyond).toMatchObject({
      status: 413,
      body: { type: 'LimitExceeded', metadata: { limitRecords: 1_000, issues: [{ path: 'discriminateByTags' }] } },
    });
  });

  it('finds messages tagged by createMessage or updateMessage', async () => {
    const { message: body } = await setUp();
    const { message } = await bot.client.createMessage({ ...body, tags: { a: '1' } });

    const byCreated = await bot.client.getOrCreateMessage({ ...body, tags: { a: '1' } });
    await bot.client.updateMessage({ id: message.id, tags: { a: '2' } });
    const byUpdated = await bot.client.getOrCreateMessage({ ...body, tags: { a: '2' } });
    const byFormer = await bot.client.getOrCreateMessage({ ...body, tags: { a: '1' } });

    expect(byCreated).toEqual({ message, meta: { created: false } });
    expect([byUpdated.message.id, byUpdated.meta.created]).toEqual([message.id, false]);
    expect(byFormer.meta.created).toBe(true);
  });

  it('matches all tags, or those that discriminateByTags names', async () => {
    const { message: body } = await setUp();
    const { message } = await bot.client.createMessage({ ...body, tags: { a: '1', b: '2' } });

    const bySome = await bot.client.getOrCreateMessage({
      ...body,
      tags: { a: '1', b: '3' },
      discriminateByTags: ['a'],
    });
    const byAll = await bot.client.getOrCreateMessage({ ...body, tags: { b: '2', a: '1' } });
    const byFewer = await bot.client.getOrCreateMessage({ ...body, tags: { a: '1' } });

    expect([bySome.message.id, byAll.message.id]).toEqual([message.id, message.id]);
    expect(byFewer.meta.created).toBe(true);
  });

  it('matches within one conversation, and creates a new message on every call without discriminators', async () => {
    const { message } = await setUp();
    const { message: elsewhere } = await setUp();
    await bot.client.createMessage({ ...elsewhere, tags: { n: '1' } });

    const answers = [
      await bot.client.getOrCreateMessage({ ...message, tags: { n: '1' } }),
      await bot.client.getOrCreateMessage({ ...message, tags: {} }),
      await bot.client.getOrCreateMessage({ ...message, tags: {} }),
      await bot.client.getOrCreateMessage({ ...message, tags: { n: '1' }, discriminateByTags: [] }),
    ];

    expect(answers.map(({ meta }) => meta.created)).toEqual([true, true, true, true]);
    expect(new Set(await idsIn(message.conversationId)).size).toBe(4);
  });

  it.each(['createMessage', 'getOrCreateMessage'] as const)(
    'finds a scheduled message that %s created',
    async operation => {
      const { message } = await setUp();
      const tags = { n: '1' };
      const scheduled = await bot.client[operation]({ ...message, tags, schedule: { delay: 600_000 } });

      const found = await bot.client.getOrCreateMessage({ ...message, tags });

      expect(found).toEqual({ message: scheduled.message, meta: { created: false } });
    },
  );

  it('creates one message for many concurrent callers', async () => {
    const { conversationId, message } = await setUp();

    const answers = await crowds(CROWD, () => post({ ...message, tags: { once: 'only' } }));

    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(CROWD - 1);
    expect(await idsIn(conversationId)).toEqual([...new Set(answers.map(({ body }) => body.message.id))]);
  });

  it('creates a deleted message again', async () => {
    const { message } = await setUp();
    const first = await bot.client.getOrCreateMessage({ ...message, tags: { n: '1' } });
    await bot.client.deleteMessage({ id: first.message.id });

    const second = await bot.client.getOrCreateMessage({ ...message, tags: { n: '1' } });

    expect(second.meta.created).toBe(true);
    expect(second.message.id).not.toBe(first.message.id);
  });

  it.each([
    [{ payload: undefined }, 'payload'],
    [{ discriminateByTags: ['b'] }, 'discriminateByTags'],
    [{ discriminateByTags: 'a' }, 'discriminateByTags'],
    [{ tags: undefined }, 'tags'],
    [{ tags: { a: 7 } }, 'tags.a'],
    [{ schedule: { delay: 1, dateTime: '2040-01-01T00:00:00Z' } }, 'schedule'],
  ])('returns 400 for %j without a match and names the field', async (fault, path) => {
    const { message } = await setUp();

    const { status, body } = await post({ ...message, tags: { a: '1' }, ...fault });

    expect({ status, type: body.type, path: body.metadata?.issues[0].path }).toEqual({
      status: 400,
      type: 'InvalidPayload',
      path,
    });
  });

  it('returns 404 for an unknown conversation or user', async () => {
    const { message } = await setUp();

    const answers = [
      await post({ ...message, tags: { a: '1' }, conversationId: `convo_${'z'.repeat(22)}` }),
      await post({ ...message, tags: { a: '1' }, conversationId: 'no-such' }),
      await post({ ...message, tags: { a: '1' }, userId: `user_${'z'.repeat(24)}` }),
    ];

    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404]);
  });
});
