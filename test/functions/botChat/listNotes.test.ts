import { beforeAll, describe, expect, it } from 'vitest';
import { newConversation } from '#test/support/handoffs.ts';
import { newBot, type TestBot, useSharedPlatform } from '#test/support/platform.ts';

useSharedPlatform();

let bot: TestBot;
beforeAll(async () => {
  bot = await newBot();
});

const create = (conversationId: string, text: string) =>
  bot.call('POST', `/conversations/${conversationId}/notes`, { body: { text } });
const list = async (conversationId: string, query = '', token = bot.tokens.bot) =>
  bot.call('GET', `/conversations/${conversationId}/notes${query}`, { token });

describe('GET /v1/chat/conversations/{conversationId}/notes', () => {
  it('lists the notes of the conversation page by page, newest first', async () => {
    const [conversationId, other] = [await newConversation(bot), await newConversation(bot)];
    for (const text of ['one', 'two', 'three']) await create(conversationId, text);
    await create(other, 'other');

    const { body: first } = await list(conversationId, '?pageSize=2');
    const { body: rest } = await list(conversationId, `?pageSize=2&nextToken=${first.meta.nextToken}`);

    const texts = [...first.notes, ...rest.notes].map(({ text }: { text: string }) => text);
    expect(texts).toEqual(['three', 'two', 'one']);
    expect(rest.meta).toEqual({});
  });

  it('lists notes for viewers and agents', async () => {
    const conversationId = await newConversation(bot);
    await create(conversationId, 'note');
    const members = [await bot.workspace.join('viewer'), await bot.workspace.join('agent')];

    for (const { token } of members) expect((await list(conversationId, '', token)).body.notes).toHaveLength(1);
  });

  it('returns 404 for an unknown or deleted conversation', async () => {
    const conversationId = await newConversation(bot);
    await create(conversationId, 'note');
    await bot.client.deleteConversation({ id: conversationId });

    const answers = [await list('no-such'), await list(conversationId)];

    for (const answer of answers) expect(answer).toMatchObject({ status: 404, body: { type: 'ResourceNotFound' } });
  });
});
