import { beforeAll, describe, expect, it } from 'vitest';
import { newBot, type TestBot, useSharedPlatform } from '#test/support/platform.ts';

useSharedPlatform();

let bot: TestBot;
let token: string;
beforeAll(async () => {
  bot = await newBot();
  token = bot.workspace.owner.token;
});

describe('DELETE /v1/chat/saved-replies/{id}', () => {
  it('deletes the reply', async () => {
    const { body } = await bot.call('POST', '/saved-replies', { token, body: { name: 'a', text: 'a' } });
    const remove = () => bot.call('DELETE', `/saved-replies/${body.savedReply.id}`, { token });

    const [first, again] = [await remove(), await remove()];

    expect(first).toMatchObject({ status: 200, body: {} });
    expect(again).toMatchObject({ status: 404, body: { type: 'ResourceNotFound' } });
    expect((await bot.call('GET', '/saved-replies', { token })).body.savedReplies).toEqual([]);
  });

  it('returns 404 for an unknown reply', async () => {
    const { status } = await bot.call('DELETE', '/saved-replies/no-such', { token });

    expect(status).toBe(404);
  });
});
