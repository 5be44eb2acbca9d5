import { beforeAll, describe, expect, it } from 'vitest';
import { clock } from '#shared/core/clock.ts';
import { newBot, type TestBot, useSharedPlatform } from '#test/support/platform.ts';
import { savedRepliesOf } from '#test/support/savedReplies.ts';

useSharedPlatform();

let bot: TestBot;
beforeAll(async () => {
  bot = await newBot();
});

describe('GET /v1/chat/saved-replies', () => {
  it('lists the saved replies of the bot page by page, newest first', async () => {
    const other = await newBot(bot.workspace);
    await savedRepliesOf(other).create({ name: 'other', text: 'other' });
    const ids: string[] = [];
    for (const name of ['one', 'two', 'three']) {
      // The order within a millisecond is random.
      clock.advance(1);
      const { body } = await savedRepliesOf(bot).create({ name, text: name });
      ids.unshift(body.savedReply.id);
    }
    const viewer = await bot.workspace.join('viewer');
    const { list } = savedRepliesOf(bot, viewer.token);

    const { body: first } = await list('?pageSize=2');
    const { body: rest } = await list(`?pageSize=2&nextToken=${first.meta.nextToken}`);

    const listed = [...first.savedReplies, ...rest.savedReplies].map(({ id }: { id: string }) => id);
    expect(listed).toEqual(ids);
    expect(rest.meta).toEqual({});
  });
});
