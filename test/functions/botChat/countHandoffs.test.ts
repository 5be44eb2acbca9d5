import { beforeAll, describe, expect, it } from 'vitest';
import { reactToTable } from '#functions/events/reactToTable.ts';
import { lambdaContext } from '#infra/local/runtime/lambdaContext.ts';
import { parseTimelineId } from '#shared/core/ids.ts';
import { readItem } from '#shared/storage/dynamodb/engine/query.ts';
import { timelineKey } from '#shared/storage/dynamodb/keys/chat.ts';
import { handoffsOf, newTalk, newWaiting } from '#test/support/handoffs.ts';
import { eventually, newBot, settled, type TestBot, useSharedPlatform } from '#test/support/platform.ts';
import { streamRecord } from '#test/support/streamRecords.ts';

useSharedPlatform();

type Member = Awaited<ReturnType<TestBot['workspace']['join']>>;
let bot: TestBot;
let ada: Member;
beforeAll(async () => {
  bot = await newBot();
  ada = await bot.workspace.join('agent');
});

const countsFor = async (of: TestBot, token: string) =>
  (await of.call('GET', '/handoff-counts', { token })).body.counts;
const counts = () => countsFor(bot, ada.token);

describe('GET /v1/chat/handoff-counts', () => {
  it("counts queued and assigned conversations, and the caller's own", async () => {
    const own = await newBot(bot.workspace);
    for (let i = 0; i < 2; i++) await newWaiting(own);
    const [mine, other] = [await newWaiting(own), await newWaiting(own)];
    const closed = await newWaiting(own);
    await handoffsOf(own, ada.token).assign(mine.id);
    await handoffsOf(own, own.workspace.owner.token).assign(other.id);
    await handoffsOf(own).end(closed.id);

    await eventually(async () =>
      expect(await countsFor(own, ada.token)).toEqual({ waiting: 2, served: 2, mine: 1, unread: 0, snoozed: 0 }),
    );
    expect(await countsFor(own, own.tokens.bot)).toEqual({ waiting: 2, served: 2, mine: 0, unread: 0, snoozed: 0 });
  });

  it('counts a conversation as unread from the message of a user to the reply of the member', async () => {
    const { conversationId, say } = await newTalk(bot);
    await say('before');
    const handoffs = handoffsOf(bot, ada.token);
    const { body } = await handoffs.start(conversationId, { accountId: ada.accountId });
    const { id } = body.handoff;
    const unreadIds = async () =>
      (await handoffs.list(`?accountId=${ada.accountId}&isUnread=true`)).body.handoffs.map(
        (each: { id: string }) => each.id,
      );
    await settled();
    expect(await counts()).toMatchObject({ unread: 0 });

    await say('one');
    await say('two');
    await settled();
    await eventually(async () => expect(await counts()).toMatchObject({ unread: 1 }));
    expect(await unreadIds()).toEqual([id]);
    expect((await handoffs.get(id)).body.handoff.isUnread).toBe(true);

    await bot.call('POST', `/handoffs/${id}/messages`, {
      token: ada.token,
      body: { type: 'text', payload: { text: 'Hello' } },
    });
    await settled();
    await eventually(async () => expect(await counts()).toMatchObject({ unread: 0 }));
    expect(await unreadIds()).toEqual([]);
    expect((await handoffs.get(id)).body.handoff.isUnread).toBe(false);
  });

  it('counts a conversation as unread until the last message is marked as read', async () => {
    const own = await newBot(bot.workspace);
    const { conversationId, say } = await newTalk(own);
    const { body } = await handoffsOf(own, ada.token).start(conversationId, { accountId: ada.accountId });
    const [one, two] = [await say('one'), await say('two')];
    await settled();
    const read = (messageId: string) =>
      own.call('PUT', `/handoffs/${body.handoff.id}/read`, { token: ada.token, body: { messageId } });

    await read(one);
    await eventually(async () => expect(await countsFor(own, ada.token)).toMatchObject({ unread: 1 }));
    await read(two);

    await eventually(async () => expect(await countsFor(own, ada.token)).toMatchObject({ unread: 0 }));
  });

  describe('after a deletion', () => {
    async function unreadTalk(texts: readonly string[]) {
      const own = await newBot(bot.workspace);
      const talk = await newTalk(own);
      const { body } = await handoffsOf(own, ada.token).start(talk.conversationId, { accountId: ada.accountId });
      const messageIds: string[] = [];
      for (const text of texts) messageIds.push(await talk.say(text));
      await settled();
      const untilUnread = (unread: number) =>
        eventually(async () => {
          expect(await countsFor(own, ada.token)).toMatchObject({ unread });
          const { handoff } = (await handoffsOf(own, ada.token).get(body.handoff.id)).body;
          expect(handoff.isUnread).toBe(unread === 1);
        });
      await untilUnread(1);
      return { ...talk, own, handoffId: body.handoff.id as string, messageIds, untilUnread };
    }

    it('counts a conversation as read when its unread messages were deleted', async () => {
      const { client, messageIds, untilUnread, say } = await unreadTalk(['one', 'two']);

      await client.deleteMessage({ id: messageIds[1]! });
      await settled();
      await untilUnread(1);
      await client.deleteMessage({ id: messageIds[0]! });
      await settled();

      await untilUnread(0);
      await say('three');
      await settled();
      await untilUnread(1);
    });

    it("counts a conversation as read when the bot deletes the user's message after its own reply", async () => {
      const { own, conversationId, messageIds, untilUnread } = await unreadTalk(['one']);
      await own.client.createMessage({
        conversationId,
        userId: own.id,
        type: 'text',
        payload: { text: 'Hello' },
        tags: {},
      });

      await own.client.deleteMessage({ id: messageIds[0]! });
      await settled();

      await untilUnread(0);
    });

    it('ignores a repeated stream record of a deleted message', async () => {
      const { own, client, conversationId, messageIds, untilUnread } = await unreadTalk(['one']);
      const { position } = parseTimelineId('msg', messageIds[0]!)!;
      const created = await readItem(timelineKey(own.id, conversationId, position));
      await client.deleteMessage({ id: messageIds[0]! });
      await settled();
      await untilUnread(0);

      await reactToTable.handle(
        { Records: [streamRecord(undefined, created!)] },
        lambdaContext('reactToTable', 60_000),
      );

      await untilUnread(0);
    });

    it('counts a conversation as read when the user is erased', async () => {
      const { own, userId, untilUnread } = await unreadTalk(['one']);

      await own.call('POST', `/users/${userId}/erase`, { body: {} });
      await settled();

      await untilUnread(0);
    });
  });

  it('counts a conversation as unread for the next assignee', async () => {
    const own = await newBot(bot.workspace);
    const { conversationId, say } = await newTalk(own);
    const handoffs = handoffsOf(own, ada.token);
    const { body } = await handoffs.start(conversationId, { accountId: ada.accountId });
    const messageId = await say('one');
    await settled();
    await own.call('PUT', `/handoffs/${body.handoff.id}/read`, { token: ada.token, body: { messageId } });
    const { token, accountId } = own.workspace.owner;

    await handoffs.assign(body.handoff.id, { accountId });

    await eventually(async () => expect(await countsFor(own, token)).toMatchObject({ mine: 1, unread: 1 }));
    expect(await countsFor(own, ada.token)).toMatchObject({ mine: 0, unread: 0 });
  });

  it('returns 400 for a list of unread conversations without a member', async () => {
    const { status } = await handoffsOf(bot).list('?isUnread=true');

    expect(status).toBe(400);
  });
});
