import { describe, expect, it } from 'vitest';
import { chat, install, newUser, useSharedPlatform } from '#test/support/platform.ts';

useSharedPlatform();

describe('GET /conversations/{conversationId}/participants/{userId}', () => {
  it('shows a participant to the owner, and each user their own participation', async () => {
    const installation = await install();
    const [owner, guest] = [await newUser(installation), await newUser(installation, { id: 'guest' })];
    await owner.client.createConversation({ id: 'c' });
    await owner.client.addParticipant({ conversationId: 'c', userId: 'guest' });

    const seenByOwner = await owner.client.getParticipant({ conversationId: 'c', userId: 'guest' });
    const seenByHimself = await guest.client.getParticipant({ conversationId: 'c', userId: 'guest' });

    expect([seenByOwner.participant, seenByHimself.participant]).toEqual([guest.user, guest.user]);
    await expect(guest.client.getParticipant({ conversationId: 'c', userId: owner.user.id })).rejects.toThrow(
      chat.ForbiddenError,
    );
  });

  it('returns 404 for a user who is not a participant', async () => {
    const installation = await install();
    const [owner, other] = [await newUser(installation), await newUser(installation)];
    await owner.client.createConversation({ id: 'c' });

    for (const userId of [other.user.id, 'nobody', 'no id']) {
      const get = owner.client.getParticipant({ conversationId: 'c', userId });
      await expect(get).rejects.toThrow(chat.ResourceNotFoundError);
    }
  });
});
