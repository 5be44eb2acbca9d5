import { beforeAll, describe, expect, it } from 'vitest';
import { newBot, type TestBot, useSharedPlatform } from '#test/support/platform.ts';
import { savedRepliesOf } from '#test/support/savedReplies.ts';

useSharedPlatform();

let bot: TestBot;
beforeAll(async () => {
  bot = await newBot();
});

describe('DELETE /v1/chat/saved-replies/{id}', () => {
  it('deletes the reply', async () => {
    const { create, list, remove } = savedRepliesOf(bot);
    const { body } = await create({ name: 'a', text: 'a' });

    const [first, again] = [await remove(body.savedReply.id), await remove(body.savedReply.id)];

    expect(first).toMatchObject({ status: 200, body: {} });
    expect(again).toMatchObject({ status: 404, body: { type: 'ResourceNotFound' } });
    expect((await list()).body.savedReplies).toEqual([]);
  });

  it('returns 404 for an unknown reply', async () => {
    const { status } = await savedRepliesOf(bot).remove('no-such');

    expect(status).toBe(404);
  });
});
