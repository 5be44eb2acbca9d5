import { describe, expect, it } from 'vitest';
import { VARIABLES } from '#shared/core/environment.ts';
import { CROWD, call, chat, install, isLeftOut, newBot, newUser, useSharedPlatform } from '#test/support/platform.ts';
import { timelineOf } from '#test/support/tableItems.ts';

useSharedPlatform();

describe('POST /conversations/{conversationId}/participants', () => {
  it('adds the user and returns it', async () => {
    const installation = await install();
    const [owner, guest] = [await newUser(installation), await newUser(installation, { id: 'guest', name: 'Guest' })];
    await owner.client.createConversation({ id: 'c' });

    const { participant } = await owner.client.addParticipant({ conversationId: 'c', userId: 'guest' });

    expect(participant).toEqual(guest.user);
    expect((await guest.client.getConversation({ id: 'c' })).conversation.id).toBe('c');
  });

  it.skipIf(isLeftOut('settings'))(
    'returns 413 when the conversation is full, even to a bot, and accepts a user after another leaves',
    async () => {
      process.env[VARIABLES.participantLimit] = '2';
      try {
        const installation = await newBot();
        const [owner, guest, late] = [
          await newUser(installation),
          await newUser(installation),
          await newUser(installation),
        ];
        const { conversation } = await owner.client.createConversation({});
        const { id: conversationId } = conversation;
        const add = (userId: string) => owner.client.addParticipant({ conversationId, userId });
        await add(guest.user.id);

        await expect(add(late.user.id)).rejects.toMatchObject({ code: 413, type: 'LimitExceeded' });
        const [id, userId] = [conversationId, late.user.id];
        await expect(installation.client.addParticipant({ id, userId })).rejects.toMatchObject({ code: 413 });
        await expect(
          installation.client.createMessage({ conversationId: id, userId, type: 'text', payload: {}, tags: {} }),
        ).rejects.toMatchObject({ code: 413 });

        await owner.client.removeParticipant({ conversationId, userId: guest.user.id });
        await add(late.user.id);
      } finally {
        delete process.env[VARIABLES.participantLimit];
      }
    },
  );

  it('changes nothing for an existing participant, even with a hundred concurrent calls', async () => {
    const installation = await install();
    const [owner, guest] = [await newUser(installation), await newUser(installation)];
    const { conversation } = await owner.client.createConversation({});
    const add = () => owner.client.addParticipant({ conversationId: conversation.id, userId: guest.user.id });

    const answers = await Promise.all(Array.from({ length: CROWD }, add));

    expect(answers.every(({ participant }) => participant.id === guest.user.id)).toBe(true);
    const changes = await timelineOf(installation.botId, conversation.id);
    expect(changes).toEqual([expect.objectContaining({ k: 'a', u: guest.user.id })]);
  });

  it('returns 404 for an unknown user, 403 to a guest and 400 without a user', async () => {
    const installation = await install();
    const [owner, guest] = [await newUser(installation), await newUser(installation)];
    await owner.client.createConversation({ id: 'c' });
    await owner.client.addParticipant({ conversationId: 'c', userId: guest.user.id });

    const nobody = () => owner.client.addParticipant({ conversationId: 'c', userId: 'nobody' });
    const byGuest = () => guest.client.addParticipant({ conversationId: 'c', userId: owner.user.id });
    const nothing = await call(`${installation.chatUrl}/conversations/c/participants`, {
      method: 'POST',
      key: owner.key,
      body: {},
    });

    await expect(nobody()).rejects.toThrow(chat.ResourceNotFoundError);
    await expect(byGuest()).rejects.toThrow(chat.ForbiddenError);
    expect({ status: nothing.status, path: nothing.body.metadata.issues[0].path }).toEqual({
      status: 400,
      path: 'userId',
    });
  });

  it("shows a user's profile only to that user, in all operations", async () => {
    const installation = await install();
    const owner = await newUser(installation, { profile: 'of the owner' });
    const victim = await newUser(installation, { id: 'victim', name: 'Victim', profile: 'private notes' });
    await owner.client.createConversation({ id: 'c' });

    const added = await owner.client.addParticipant({ conversationId: 'c', userId: 'victim' });

    const shown = { id: 'victim', name: 'Victim' };
    expect(added.participant).toMatchObject(shown);
    expect((await owner.client.getParticipant({ conversationId: 'c', userId: 'victim' })).participant).toMatchObject(
      shown,
    );
    const answers = [
      added,
      await owner.client.addParticipant({ conversationId: 'c', userId: 'victim' }),
      await owner.client.getParticipant({ conversationId: 'c', userId: 'victim' }),
      await owner.client.listParticipants({ conversationId: 'c' }),
    ];
    expect(JSON.stringify(answers)).not.toContain('private notes');
    const listed = (await victim.client.listParticipants({ conversationId: 'c' })).participants;
    expect(listed.find(({ id }) => id === 'victim')?.profile).toBe('private notes');
    expect(JSON.stringify(listed)).not.toContain('of the owner');
  });
});
