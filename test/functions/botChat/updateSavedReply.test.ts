import { beforeAll, describe, expect, it } from 'vitest';
import { newBot, type TestBot, useSharedPlatform } from '#test/support/platform.ts';
import { savedRepliesOf } from '#test/support/savedReplies.ts';

useSharedPlatform();

let bot: TestBot;
beforeAll(async () => {
  bot = await newBot();
});

const saved = async (): Promise<{ id: string }> =>
  (await savedRepliesOf(bot).create({ name: 'hours', text: 'At nine.' })).body.savedReply;

describe('PUT /v1/chat/saved-replies/{id}', () => {
  it('updates the given fields', async () => {
    const before = await saved();

    const { status, body } = await savedRepliesOf(bot).update(before.id, { text: 'At eight.' });

    expect({ status, body }).toEqual({
      status: 200,
      body: { savedReply: { ...before, text: 'At eight.', updatedAt: expect.any(String) } },
    });
  });

  it('returns 409 when the reply has changed since the version in If-Match', async () => {
    const { id } = await saved();
    const { headers } = await savedRepliesOf(bot).update(id, { text: 'a' });
    await savedRepliesOf(bot).update(id, { text: 'b' });

    const late = await savedRepliesOf(bot).update(id, { text: 'c' }, { 'if-match': headers.get('etag')! });

    expect(late).toMatchObject({ status: 409, body: { type: 'ResourceLockedConflict' } });
  });

  it('returns 404 for an unknown reply, and for one of another bot', async () => {
    const other = await newBot(bot.workspace);
    const { id } = await saved();

    const answers = [
      await savedRepliesOf(bot).update('no-such', { text: 'a' }),
      await savedRepliesOf(bot).update(`reply_${'0'.repeat(22)}`, { text: 'a' }),
      await savedRepliesOf(other).update(id, { text: 'a' }),
    ];

    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404]);
  });
});
