import { describe, expect, it } from 'vitest';
import { findPresence } from '#shared/storage/dynamodb/chat/presence.ts';
import { call, install, newUser, useSharedPlatform } from '#test/support/platform.ts';
import { timelineOf } from '#test/support/tableItems.ts';

useSharedPlatform();

/** A conversation of an owner and a guest. */
async function setUp() {
  const installation = await install();
  const [owner, guest] = await Promise.all([newUser(installation), newUser(installation, { id: 'guest' })]);
  const { conversation } = await owner.client.createConversation({});
  await owner.client.addParticipant({ conversationId: conversation.id, userId: 'guest' });
  const type = (key: string, body?: unknown, headers?: Record<string, string>) =>
    call(`${installation.chatUrl}/conversations/${conversation.id}/typing`, {
      method: 'POST',
      key,
      body,
      ...(headers && { headers }),
    });
  const shown = async () =>
    (await findPresence(installation.botId, conversation.id)).map(live => ({
      by: live.foreignUserId ?? live.userId,
      isTyping: live.kind === 'typing' && live.isTyping,
    }));
  return { installation, conversationId: conversation.id, owner, guest, type, shown };
}

describe('POST /conversations/{id}/typing', () => {
  it('returns 200 with an empty body, with or without input, and keeps the latest value', async () => {
    const { guest, type, shown } = await setUp();

    for (const [body, isTyping] of [
      [undefined, true],
      [{ isTyping: false }, false],
      [{}, true],
      [{ isTyping: true }, true],
    ] as const) {
      expect(await type(guest.key, body)).toMatchObject({ status: 200, body: {} });
      expect(await shown()).toEqual([{ by: 'guest', isTyping }]);
    }
  });

  it('accepts the foreign id of the conversation', async () => {
    const { installation, owner } = await setUp();
    await owner.client.createConversation({ id: 'named' });

    const { status } = await call(`${installation.chatUrl}/conversations/named/typing`, {
      method: 'POST',
      key: owner.key,
    });

    expect(status).toBe(200);
  });

  it('keeps the signals of two users who type concurrently', async () => {
    const { owner, guest, type, shown } = await setUp();

    const answers = await Promise.all([owner.key, guest.key].map(key => type(key)));

    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect((await shown()).map(({ by }) => by).sort()).toEqual([guest.user.id, owner.user.id].sort());
  });

  it('does not write to the timeline', async () => {
    const { installation, conversationId, guest, type } = await setUp();
    const before = await timelineOf(installation.botId, conversationId);

    await type(guest.key);

    expect(await timelineOf(installation.botId, conversationId)).toEqual(before);
    expect((await guest.client.listMessages({ conversationId })).messages).toEqual([]);
  });

  it('runs once per Idempotency-Key', async () => {
    const { guest, type, shown } = await setUp();
    const headers = { 'idempotency-key': 'k' };
    await type(guest.key, { isTyping: true }, headers);
    await type(guest.key, { isTyping: false });

    const again = await type(guest.key, { isTyping: true }, headers);

    expect(again).toMatchObject({ status: 200, body: {} });
    expect(await shown()).toEqual([{ by: 'guest', isTyping: false }]);
  });

  it('returns 400 for a value that is not a boolean and names the field', async () => {
    const { guest, type } = await setUp();

    const { status, body } = await type(guest.key, { isTyping: 'yes' });

    expect({ status, path: body.metadata.issues[0].path }).toEqual({ status: 400, path: 'isTyping' });
  });

  it('returns 404 for an unknown conversation', async () => {
    const { installation, guest } = await setUp();

    const { status, body } = await call(`${installation.chatUrl}/conversations/none/typing`, {
      method: 'POST',
      key: guest.key,
    });

    expect({ status, type: body.type }).toEqual({ status: 404, type: 'ResourceNotFound' });
  });
});
