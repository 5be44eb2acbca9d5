import { describe, expect, it } from 'vitest';
import { chat, install, newUser, useSharedPlatform } from '#test/support/platform.ts';

useSharedPlatform();

describe('GET /events/{id}', () => {
  it('returns the author to any participant', async () => {
    const installation = await install();
    const [ada, bob] = [await newUser(installation, { id: 'ada' }), await newUser(installation, { id: 'bob' })];
    await ada.client.createConversation({ id: 'c' });
    await ada.client.addParticipant({ conversationId: 'c', userId: 'bob' });
    const { event } = await bob.client.createEvent({ conversationId: 'c', payload: { a: 1 } });

    const seen = await ada.client.getEvent({ id: event.id });

    expect(seen.event).toEqual(event);
    expect(seen.event.userId).toBe('bob');
  });

  it('returns 404 for the id of a message, and 403 to a stranger', async () => {
    const installation = await install();
    const [owner, stranger] = [await newUser(installation), await newUser(installation)];
    await owner.client.createConversation({ id: 'c' });
    const { event } = await owner.client.createEvent({ conversationId: 'c', payload: {} });
    const { message } = await owner.client.createMessage({ conversationId: 'c', payload: { type: 'text', text: 't' } });

    for (const id of [message.id, message.id.replace('msg_', 'evt_'), 'nonsense']) {
      await expect(owner.client.getEvent({ id })).rejects.toThrow(chat.ResourceNotFoundError);
    }
    await expect(stranger.client.getEvent({ id: event.id })).rejects.toThrow(chat.ForbiddenError);
  });
});
