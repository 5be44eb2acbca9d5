import { describe, expect, it } from 'vitest';
import { getObject } from '#shared/storage/s3/objects.ts';
import { call, chat, eventually, install, newUser, useSharedPlatform } from '#test/support/platform.ts';
import { random } from '#test/support/seed.ts';
import { timelineOf } from '#test/support/tableItems.ts';

useSharedPlatform();

const payload = { type: 'text', text: 'hi' } as const;

describe('DELETE /messages/{id}', () => {
  it('deletes the message and appends a message_deleted entry', async () => {
    const installation = await install();
    const { client, key } = await newUser(installation, { id: 'ada' });
    const { conversation } = await client.createConversation({});
    const { message } = await client.createMessage({ conversationId: conversation.id, payload });

    const { status, body } = await call(`${installation.chatUrl}/messages/${message.id}`, { method: 'DELETE', key });

    expect({ status, body }).toEqual({ status: 200, body: {} });
    await expect(client.getMessage({ id: message.id })).rejects.toThrow(chat.ResourceNotFoundError);
    expect(await timelineOf(installation.botId, conversation.id)).toEqual([
      expect.objectContaining({ k: 'd', i: message.id, f: 'ada' }),
    ]);
  });

  it('returns 403 to anyone but the author, including the owner of the conversation', async () => {
    const installation = await install();
    const [owner, guest] = [await newUser(installation), await newUser(installation)];
    await owner.client.createConversation({ id: 'c' });
    await owner.client.addParticipant({ conversationId: 'c', userId: guest.user.id });
    const { message } = await guest.client.createMessage({ conversationId: 'c', payload });

    await expect(owner.client.deleteMessage({ id: message.id })).rejects.toThrow(chat.ForbiddenError);
    expect((await guest.client.getMessage({ id: message.id })).message).toEqual(message);
  });

  it('returns 200 to one of two concurrent callers and 404 to the other', async () => {
    const installation = await install();
    const { client } = await newUser(installation);
    const { conversation } = await client.createConversation({});
    const { message } = await client.createMessage({ conversationId: conversation.id, payload });

    const outcomes = await Promise.allSettled([1, 2].map(() => client.deleteMessage({ id: message.id })));

    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(await timelineOf(installation.botId, conversation.id)).toHaveLength(1);
  });

  it('eventually removes the object of a large message', async () => {
    const installation = await install();
    const { client } = await newUser(installation);
    const { conversation } = await client.createConversation({});
    const text = Array.from({ length: 700_000 }, () => random().toString(36)[2]).join('');
    const { message } = await client.createMessage({
      conversationId: conversation.id,
      payload: { type: 'text', text },
    });
    const [entry] = await timelineOf(installation.botId, conversation.id);
    expect((await getObject(entry!.o as string)).length).toBeGreaterThan(350_000);

    await client.deleteMessage({ id: message.id });

    await eventually(() => expect(getObject(entry!.o as string)).rejects.toThrow('does not exist'));
  });
});
