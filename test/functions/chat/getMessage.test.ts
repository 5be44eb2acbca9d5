import { describe, expect, it } from 'vitest';
import { chat, install, newUser, useSharedPlatform } from '#test/support/platform.ts';

useSharedPlatform();

const payload = { type: 'text', text: 'hi' } as const;

describe('GET /messages/{id}', () => {
  it('returns the author to any participant', async () => {
    const installation = await install();
    const [ada, bob] = [await newUser(installation, { id: 'ada' }), await newUser(installation, { id: 'bob' })];
    await ada.client.createConversation({ id: 'c' });
    await ada.client.addParticipant({ conversationId: 'c', userId: 'bob' });
    const { message } = await bob.client.createMessage({ conversationId: 'c', payload });

    const seen = await ada.client.getMessage({ id: message.id });

    expect(seen.message).toEqual(message);
    expect(seen.message.userId).toBe('bob');
  });

  it('returns 404 for ids of other records, such as an event id', async () => {
    const { client } = await newUser(await install());
    const { conversation } = await client.createConversation({});
    const { event } = await client.createEvent({ conversationId: conversation.id, payload: {} });
    const { message } = await client.createMessage({ conversationId: conversation.id, payload });
    const neighbour = message.id.replace(/^msg_.{10}/, 'msg_VbX1gps000');

    for (const id of ['nonsense', event.id, event.id.replace('evt_', 'msg_'), neighbour, `msg_${'0'.repeat(32)}`]) {
      await expect(client.getMessage({ id })).rejects.toThrow(chat.ResourceNotFoundError);
    }
  });

  it('returns 403 to a stranger', async () => {
    const installation = await install();
    const [owner, stranger] = [await newUser(installation), await newUser(installation)];
    await owner.client.createConversation({ id: 'c' });
    const { message } = await owner.client.createMessage({ conversationId: 'c', payload });

    await expect(stranger.client.getMessage({ id: message.id })).rejects.toThrow(chat.ForbiddenError);
  });
});
