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

  it('lists the replies of the workspace in all of its bots, and in no other workspace', async () => {
    const [own, stranger] = [await newBot(), await newBot()];
    const sibling = await newBot(own.workspace);
    const { body } = await savedRepliesOf(own).create({ name: 'hours', text: 'At nine.', scope: 'workspace' });
    clock.advance(1);
    const { body: ofBot } = await savedRepliesOf(own).create({ name: 'own', text: 'Of the bot.' });

    const idsIn = async (bot: TestBot) =>
      (await savedRepliesOf(bot).list()).body.savedReplies.map((each: { id: string; scope: string }) => [
        each.id,
        each.scope,
      ]);
    expect(await idsIn(own)).toEqual([
      [ofBot.savedReply.id, 'bot'],
      [body.savedReply.id, 'workspace'],
    ]);
    expect(await idsIn(sibling)).toEqual([[body.savedReply.id, 'workspace']]);
    expect(await idsIn(stranger)).toEqual([]);
  });

  it('lets members change and delete the replies of the workspace in each bot, and nobody else', async () => {
    const [own, stranger] = [await newBot(), await newBot()];
    const sibling = await newBot(own.workspace);
    const { body } = await savedRepliesOf(own).create({ name: 'hours', text: 'At nine.', scope: 'workspace' });
    const { id } = body.savedReply;

    const foreign = [
      await savedRepliesOf(stranger).update(id, { text: 'x' }),
      await savedRepliesOf(stranger).remove(id),
    ];
    const updated = await savedRepliesOf(sibling).update(id, { text: 'At ten.' });
    const removed = await savedRepliesOf(sibling).remove(id);

    expect(foreign.map(({ status }) => status)).toEqual([404, 404]);
    expect(updated.body.savedReply).toMatchObject({ id, scope: 'workspace', text: 'At ten.' });
    expect([removed.status, (await savedRepliesOf(own).list()).body.savedReplies]).toEqual([200, []]);
  });
});
