import { beforeAll, describe, expect, it } from 'vitest';
import { newBot, type TestBot, useSharedPlatform } from '#test/support/platform.ts';

useSharedPlatform();

let bot: TestBot;
let token: string;
beforeAll(async () => {
  bot = await newBot();
  token = bot.workspace.owner.token;
});

const saved = async (): Promise<{ id: string }> =>
  (await bot.call('POST', '/saved-replies', { token, body: { name: 'hours', text: 'At nine.' } })).body.savedReply;
const update = (id: string, body: unknown, headers: Record<string, string> = {}) =>
  bot.call('PUT', `/saved-replies/${id}`, { token, body, headers });

describe('PUT /v1/chat/saved-replies/{id}', () => {
  it('updates the given fields', async () => {
    const before = await saved();

    const { status, body } = await update(before.id, { text: 'At eight.' });

    expect({ status, body }).toEqual({
      status: 200,
      body: { savedReply: { ...before, text: 'At eight.', updatedAt: expect.any(String) } },
    });
  });

  it('returns 409 when the reply has changed since the version in If-Match', async () => {
    const { id } = await saved();
    const { headers } = await update(id, { text: 'a' });
    await update(id, { text: 'b' });

    const late = await update(id, { text: 'c' }, { 'if-match': headers.get('etag')! });

    expect(late).toMatchObject({ status: 409, body: { type: 'ResourceLockedConflict' } });
  });

  it('returns 404 for an unknown reply, and for one of another bot', async () => {
    const other = await newBot(bot.workspace);
    const { id } = await saved();

    const answers = [
      await update('no-such', { text: 'a' }),
      await update(`reply_${'0'.repeat(22)}`, { text: 'a' }),
      await other.call('PUT', `/saved-replies/${id}`, { token, body: { text: 'a' } }),
    ];

    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404]);
  });
});
