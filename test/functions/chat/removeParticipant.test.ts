import { describe, expect, it } from 'vitest';
import { chat, install, newUser, useSharedPlatform } from '#test/support/platform.ts';
import { timelineOf } from '#test/support/tableItems.ts';

useSharedPlatform();

async function conversationOfTwo() {
  const installation = await install();
  const [owner, guest] = [await newUser(installation), await newUser(installation, { id: 'guest' })];
  const { conversation } = await owner.client.createConversation({});
  await owner.client.addParticipant({ conversationId: conversation.id, userId: 'guest' });
  return { installation, owner, guest, conversationId: conversation.id };
}

describe('DELETE /conversations/{conversationId}/participants/{userId}', () => {
  it('removes the participant immediately and appends a participant_removed entry', async () => {
    const { installation, owner, guest, conversationId } = await conversationOfTwo();

    expect(await owner.client.removeParticipant({ conversationId, userId: 'guest' })).toEqual({});

    const say = () => guest.client.createMessage({ conversationId, payload: { type: 'text', text: 'still here?' } });
    await expect(say()).rejects.toThrow(chat.ForbiddenError);
    expect((await guest.client.listConversations({})).conversations).toEqual([]);
    expect((await timelineOf(installation.botId, conversationId)).map(({ k, f }) => [k, f])).toEqual([
      ['a', 'guest'],
      ['r', 'guest'],
    ]);
  });

  it('lets a participant leave', async () => {
    const { owner, guest, conversationId } = await conversationOfTwo();

    await guest.client.removeParticipant({ conversationId, userId: 'guest' });

    expect((await owner.client.listParticipants({ conversationId })).participants).toEqual([owner.user]);
  });

  it('returns 400 for the owner', async () => {
    const { owner, conversationId } = await conversationOfTwo();

    const leave = owner.client.removeParticipant({ conversationId, userId: owner.user.id });

    await expect(leave).rejects.toThrow(chat.InvalidPayloadError);
  });

  it('returns 403 to a guest who removes another, and 404 for a user who is not a participant', async () => {
    const { owner, guest, conversationId } = await conversationOfTwo();

    const byGuest = () => guest.client.removeParticipant({ conversationId, userId: owner.user.id });
    const nobody = () => owner.client.removeParticipant({ conversationId, userId: 'nobody' });

    await expect(byGuest()).rejects.toThrow(chat.ForbiddenError);
    await expect(nobody()).rejects.toThrow(chat.ResourceNotFoundError);
  });

  it('lets one of two concurrent callers remove the participant', async () => {
    const { installation, owner, conversationId } = await conversationOfTwo();

    const outcomes = await Promise.allSettled(
      [1, 2].map(() => owner.client.removeParticipant({ conversationId, userId: 'guest' })),
    );

    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect((await timelineOf(installation.botId, conversationId)).filter(({ k }) => k === 'r')).toHaveLength(1);
  });
});
