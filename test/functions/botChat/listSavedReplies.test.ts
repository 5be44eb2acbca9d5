import { beforeAll, describe, expect, it } from 'vitest';
import { newBot, type TestBot, useSharedPlatform } from '#test/support/platform.ts';

useSharedPlatform();

let bot: TestBot;
let token: string;
beforeAll(async () => {
  bot = await newBot();
  token = bot.workspace.owner.token;
});

describe('GET /v1/chat/saved-replies', () => {
  it('lists the saved replies of the bot page by page, newest first', async () => {
    const other = await newBot(bot.workspace);
    await other.call('POST', '/saved-replies', { token, body: { name: 'other', text: 'other' } });
    const ids: string[] = [];
    for (const name of ['one', 'two', 'three']) {
      const { body } = await bot.call('POST', '/saved-replies', { token, body: { name, text: name } });
      ids.unshift(body.savedReply.id);
    }
    const viewer = await bot.workspace.join('viewer');
    const list = async (query: string) =>
      (await bot.call('GET', `/saved-replies?pageSize=2${query}`, { token: viewer.token })).body;

    const first = await list('');
    const rest = await list(`&nextToken=${first.meta.nextToken}`);

    const listed = [...first.savedReplies, ...rest.savedReplies].map(({ id }: { id: string }) => id);
    expect(listed.sort()).toEqual(ids.sort());
    expect(rest.meta).toEqual({});
  });
});
