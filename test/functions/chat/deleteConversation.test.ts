import { describe, expect, it } from 'vitest';
import { readItem } from '#shared/storage/dynamodb/engine/query.ts';
import { conversationKey } from '#shared/storage/dynamodb/keys/chat.ts';
import { chat, crowds, eventually, install, newUser, useSharedPlatform } from '#test/support/platform.ts';
import { addAttribute, timelineOf } from '#test/support/tableItems.ts';

useSharedPlatform();

describe('DELETE /conversations/{id}', () => {
  it('hides its content from every participant immediately', async () => {
    const installation = await install();
    const [owner, guest] = [await newUser(installation), await newUser(installation)];
    const { conversation } = await owner.client.createConversation({});
    const conversationId = conversation.id;
    await owner.client.addParticipant({ conversationId, userId: guest.user.id });
    const payload = { type: 'text', text: 'hi' } as const;
    const { message } = await guest.client.createMessage({ conversationId, payload });
    const { event } = await guest.client.createEvent({ conversationId, payload: { a: 1 } });

    await owner.client.deleteConversation({ id: conversationId });

    for (const { client } of [owner, guest]) {
      const calls = [
        () => client.getConversation({ id: conversationId }),
        () => client.listMessages({ conversationId }),
        () => client.listParticipants({ conversationId }),
        () => client.getMessage({ id: message.id }),
        () => client.getEvent({ id: event.id }),
        () => client.createMessage({ conversationId, payload }),
        () => client.deleteConversation({ id: conversationId }),
      ];
      for (const each of calls) await expect(each()).rejects.toThrow(chat.ResourceNotFoundError);
      expect((await client.listConversations({})).conversations).toEqual([]);
    }
  });

  it('leaves no attribute of the conversation except those of a tombstone', async () => {
    const { client, installation } = await newUserWithInstallation();
    await client.createConversation({ id: 'of-fred' });
    const payload = { type: 'text', text: 'hi' } as const;
    const { message } = await client.createMessage({ conversationId: 'of-fred', payload });
    const id = `convo_${message.id.slice(-22)}`;
    const key = conversationKey(installation.botId, id);
    await addAttribute(key, 'ofALaterRelease', 'Fred');

    await client.deleteConversation({ id: 'of-fred' });

    const { ofALaterRelease, foreignId, ownerId, ...tombstone } = (await readItem(key))!;
    expect([ofALaterRelease, foreignId, ownerId]).toEqual([undefined, undefined, undefined]);
    expect(tombstone).toMatchObject({ id, deletedAtMs: expect.any(Number) });
  });

  it('returns 404 immediately to all participants of a group larger than a transaction', async () => {
    const installation = await install();
    const owner = await newUser(installation);
    await owner.client.createConversation({ id: 'c' });
    const guests = await crowds(120, i => newUser(installation, { id: `guest-${i}` }));
    await crowds(120, i => owner.client.addParticipant({ conversationId: 'c', userId: guests[i]!.user.id }));

    await owner.client.deleteConversation({ id: 'c' });

    const reads = await crowds(120, i =>
      guests[i]!.client.getConversation({ id: 'c' }).catch((error: unknown) => error),
    );
    expect(reads.filter(read => !(read instanceof chat.ResourceNotFoundError))).toEqual([]);
  });

  it('eventually removes the whole timeline', async () => {
    const { client, installation } = await newUserWithInstallation();
    const { conversation } = await client.createConversation({});
    const say = (i: number) =>
      client.createMessage({ conversationId: conversation.id, payload: { type: 'text', text: `${i}` } });
    await crowds(60, say);
    expect(await timelineOf(installation.botId, conversation.id)).toHaveLength(60);

    await client.deleteConversation({ id: conversation.id });

    await eventually(async () => expect(await timelineOf(installation.botId, conversation.id)).toEqual([]));
  });

  it('frees its id immediately for a new conversation, which survives the sweep of the old one', async () => {
    const { client, installation } = await newUserWithInstallation();
    const { conversation } = await client.createConversation({ id: 'again' });
    const old = await client.createMessage({ conversationId: 'again', payload: { type: 'text', text: 'old' } });
    await client.deleteConversation({ id: 'again' });

    const second = await client.createConversation({ id: 'again' });
    const { message } = await client.createMessage({ conversationId: 'again', payload: { type: 'text', text: 'new' } });

    expect(second.conversation.createdAt > conversation.createdAt).toBe(true);
    expect((await client.listMessages({ conversationId: 'again' })).messages).toEqual([message]);
    await expect(client.getMessage({ id: old.message.id })).rejects.toThrow(chat.ResourceNotFoundError);
    await eventually(async () => {
      const internalId = `convo_${message.id.slice(-22)}`;
      expect(await timelineOf(installation.botId, internalId)).toHaveLength(1);
    });
    expect((await client.listMessages({ conversationId: 'again' })).messages).toEqual([message]);
    expect((await client.listConversations({})).conversations).toHaveLength(1);
  });

  it('returns 200 to one of two concurrent callers and 404 to the other', async () => {
    const { client } = await newUserWithInstallation();
    const { conversation } = await client.createConversation({});

    const outcomes = await Promise.allSettled([1, 2].map(() => client.deleteConversation({ id: conversation.id })));

    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  });
});

async function newUserWithInstallation() {
  const installation = await install();
  return { installation, ...(await newUser(installation)) };
}
