import { beforeAll, describe, expect, it } from 'vitest';
import { findPresence } from '#shared/storage/dynamodb/chat/presence.ts';
import { handoffsOf, newTalk } from '#test/support/handoffs.ts';
import { eventually, newBot, settled, type TestBot, useSharedPlatform } from '#test/support/platform.ts';

useSharedPlatform();

let bot: TestBot;
beforeAll(async () => {
  bot = await newBot();
});

async function served() {
  const talk = await newTalk(bot);
  const messageIds = [await talk.say('one'), await talk.say('two')] as const;
  const { token, accountId } = bot.workspace.owner;
  const { body } = await handoffsOf(bot, token).start(talk.conversationId, { accountId });
  const read = (messageId: string, as = token) =>
    bot.call('PUT', `/handoffs/${body.handoff.id}/read`, { token: as, body: { messageId } });
  const mark = async () => {
    const { participants } = await talk.client.listParticipants({ conversationId: talk.conversationId });
    return participants.find(({ id }) => id === body.handoff.member.userId) as { lastReadMessageId?: string };
  };
  const isUnread = async (): Promise<boolean> =>
    (await handoffsOf(bot, token).get(body.handoff.id)).body.handoff.isUnread;
  return { ...talk, messageIds, read, mark, isUnread };
}

describe('PUT /v1/chat/handoffs/{id}/read', () => {
  it('shows end users what the member has read', async () => {
    const { conversationId, messageIds, read, mark } = await served();

    const { status } = await read(messageIds[0]);

    expect(status).toBe(200);
    expect((await mark()).lastReadMessageId).toBe(messageIds[0]);
    expect(await findPresence(bot.id, conversationId)).toContainEqual(
      expect.objectContaining({ kind: 'read', messageId: messageIds[0] }),
    );
  });

  it('never moves the read mark backwards', async () => {
    const { messageIds, read, mark } = await served();
    await read(messageIds[1]);

    const { status } = await read(messageIds[0]);

    expect(status).toBe(200);
    expect((await mark()).lastReadMessageId).toBe(messageIds[1]);
  });

  it('marks the conversation as read up to the last message that was not deleted', async () => {
    const { client, say, messageIds, read, isUnread } = await served();
    const [two, three] = [await say('two of the handoff'), await say('three')];
    await settled();
    await eventually(async () => expect(await isUnread()).toBe(true));
    await client.deleteMessage({ id: three });

    const early = await read(messageIds[1]);
    expect([early.status, await isUnread()]).toEqual([200, true]);
    await read(two);

    expect(await isUnread()).toBe(false);
    await say('four');
    await settled();
    await eventually(async () => expect(await isUnread()).toBe(true));
  });

  it('returns 404 for a message of another conversation, and 409 to another member', async () => {
    const [one, other] = [await served(), await served()];
    const agent = await bot.workspace.join('agent');

    const answers = [await one.read(other.messageIds[0]), await one.read(one.messageIds[0], agent.token)];

    expect(answers.map(({ status }) => status)).toEqual([404, 409]);
  });
});
