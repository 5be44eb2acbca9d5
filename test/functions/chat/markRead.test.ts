import { describe, expect, it } from 'vitest';
import { findPresence } from '#shared/storage/dynamodb/chat/presence.ts';
import { call, eventually, install, newUser, useSharedPlatform } from '#test/support/platform.ts';
import { timelineOf } from '#test/support/tableItems.ts';

useSharedPlatform();

/** A conversation of an owner and a guest, with three messages. */
async function setUp() {
  const installation = await install();
  const [owner, guest] = await Promise.all([newUser(installation), newUser(installation, { id: 'guest' })]);
  const { conversation } = await owner.client.createConversation({});
  const conversationId = conversation.id;
  await owner.client.addParticipant({ conversationId, userId: 'guest' });
  const messageIds: string[] = [];
  for (const text of ['1', '2', '3']) {
    const { message } = await owner.client.createMessage({ conversationId, payload: { type: 'text', text } });
    messageIds.push(message.id);
  }
  const mark = (key: string, body: unknown, id = conversationId) =>
    call(`${installation.chatUrl}/conversations/${id}/read`, { method: 'PUT', key, body });
  const read = (key: string, index: number) => mark(key, { messageId: messageIds[index] });
  /** Returns the read marks by user. The official client lacks the fields. */
  const shown = async () => {
    const url = `${installation.chatUrl}/conversations/${conversationId}/participants`;
    const { body } = await call(url, { key: owner.key });
    const participants = body.participants as { id: string; lastReadMessageId?: string; lastReadAt?: string }[];
    return new Map(
      participants.map(({ id, lastReadMessageId, lastReadAt }) => [id, { lastReadMessageId, lastReadAt }]),
    );
  };
  return { installation, conversationId, owner, guest, messageIds, mark, read, shown };
}

const dateTime = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
const nothing = { lastReadMessageId: undefined, lastReadAt: undefined };

describe('PUT /conversations/{id}/read', () => {
  it('returns 200 with an empty body and shows the read mark on the participant', async () => {
    const { installation, conversationId, owner, guest, messageIds, read, shown } = await setUp();

    const answer = await read(guest.key, 1);

    expect(answer).toMatchObject({ status: 200, body: {} });
    const mark = { lastReadMessageId: messageIds[1], lastReadAt: dateTime };
    const participants = await shown();
    expect(participants.get('guest')).toEqual(mark);
    expect(participants.get(owner.user.id)).toEqual(nothing);
    const url = `${installation.chatUrl}/conversations/${conversationId}/participants/guest`;
    expect((await call(url, { key: guest.key })).body.participant).toEqual({ ...guest.user, ...mark });
    expect((await guest.client.listParticipants({ conversationId })).participants).toHaveLength(2);
  });

  it('ignores an older or repeated message', async () => {
    const { guest, messageIds, read, shown } = await setUp();
    await read(guest.key, 1);
    const before = await shown();

    for (const index of [0, 1]) expect((await read(guest.key, index)).status).toBe(200);
    expect(await shown()).toEqual(before);

    await read(guest.key, 2);
    expect((await shown()).get('guest')).toMatchObject({ lastReadMessageId: messageIds[2] });
  });

  it('keeps the latest read mark of concurrent calls', async () => {
    const { installation, conversationId, owner, guest, messageIds, read, shown } = await setUp();

    const marks = [owner.key, guest.key].flatMap(key => [2, 0, 1, 2, 1].map(index => read(key, index)));
    const answers = await Promise.all(marks);

    expect(answers.every(({ status }) => status === 200)).toBe(true);
    expect([...(await shown()).values()]).toEqual(
      Array(2).fill({ lastReadMessageId: messageIds[2], lastReadAt: dateTime }),
    );
    const live = await findPresence(installation.botId, conversationId);
    expect(live.map(each => each.kind === 'read' && each.messageId)).toEqual([messageIds[2], messageIds[2]]);
  });

  it('does not write to the timeline', async () => {
    const { installation, conversationId, guest, read } = await setUp();
    const before = await timelineOf(installation.botId, conversationId);

    await read(guest.key, 0);

    expect(await timelineOf(installation.botId, conversationId)).toEqual(before);
  });

  it('returns 404 for a message that is not in this conversation and changes nothing', async () => {
    const { owner, guest, messageIds, mark, shown } = await setUp();
    const elsewhere = await owner.client.createConversation({});
    const { message: foreign } = await owner.client.createMessage({
      conversationId: elsewhere.conversation.id,
      payload: { type: 'text', text: 't' },
    });
    await owner.client.deleteMessage({ id: messageIds[2]! });
    const unknown = messageIds[0]!.replace(/^msg_.{10}/, 'msg_0000000000');

    for (const messageId of [foreign.id, messageIds[2], unknown, 'no id', '']) {
      const { status, body } = await mark(guest.key, { messageId });
      expect({ status, type: body.type }).toEqual({ status: 404, type: 'ResourceNotFound' });
    }
    expect((await mark(guest.key, { messageId: messageIds[0] }, 'none')).status).toBe(404);
    expect((await shown()).get('guest')).toEqual(nothing);
  });

  it('returns 404 for a custom event', async () => {
    const { conversationId, guest, mark } = await setUp();
    const { event } = await guest.client.createEvent({ conversationId, payload: {} });

    for (const messageId of [event.id, event.id.replace('evt_', 'msg_')]) {
      expect((await mark(guest.key, { messageId })).status).toBe(404);
    }
  });

  it('returns 400 without a message', async () => {
    const { guest, mark } = await setUp();

    const { status, body } = await mark(guest.key, {});

    expect({ status, path: body.metadata.issues[0].path }).toEqual({ status: 400, path: 'messageId' });
  });

  it('removes the mark when the user leaves or the conversation is deleted', async () => {
    const { installation, conversationId, owner, guest, read, shown } = await setUp();
    await read(guest.key, 1);
    await owner.client.removeParticipant({ conversationId, userId: 'guest' });
    await owner.client.addParticipant({ conversationId, userId: 'guest' });
    expect((await shown()).get('guest')).toEqual(nothing);

    await owner.client.deleteConversation({ id: conversationId });
    await eventually(async () => expect(await findPresence(installation.botId, conversationId)).toEqual([]));
  });
});
