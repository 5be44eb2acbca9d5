import { describe, expect, it } from 'vitest';
import { CROWD, call, chat, install, newUser, useSharedPlatform } from '#test/support/platform.ts';

useSharedPlatform();

const getOrCreate = (chatUrl: string, key: string, id: unknown) =>
  call(`${chatUrl}/conversations/get-or-create`, { method: 'POST', key, body: { id } });

describe('POST /conversations/get-or-create', () => {
  it('returns 201 when it creates the conversation and 200 when it finds the same one', async () => {
    const installation = await install();
    const { key } = await newUser(installation);

    const first = await getOrCreate(installation.chatUrl, key, 'c');
    const second = await getOrCreate(installation.chatUrl, key, 'c');

    expect([first.status, second.status]).toEqual([201, 200]);
    expect(second.body).toEqual(first.body);
  });

  it('returns the conversation to any participant, and 403 to others', async () => {
    const installation = await install();
    const [owner, guest, stranger] = [
      await newUser(installation),
      await newUser(installation),
      await newUser(installation),
    ];
    const { conversation } = await owner.client.createConversation({ id: 'c' });
    await owner.client.addParticipant({ conversationId: 'c', userId: guest.user.id });

    expect((await guest.client.getOrCreateConversation({ id: 'c' })).conversation.id).toBe(conversation.id);
    await expect(stranger.client.getOrCreateConversation({ id: 'c' })).rejects.toThrow(chat.ForbiddenError);
  });

  it('finds a conversation by a generated id, but does not create one under it', async () => {
    const installation = await install();
    const { client, key } = await newUser(installation);
    const { conversation } = await client.createConversation({});

    const found = await getOrCreate(installation.chatUrl, key, conversation.id);
    const unknown = await getOrCreate(installation.chatUrl, key, `convo_${'z'.repeat(22)}`);

    expect(found.body.conversation).toEqual(conversation);
    expect([found.status, unknown.status]).toEqual([200, 404]);
  });

  it.each([undefined, 7, null, '', 'a b', 'x'.repeat(71)])('returns 400 for the id %j', async id => {
    const installation = await install();
    const { key } = await newUser(installation);

    const { status, body } = await getOrCreate(installation.chatUrl, key, id);

    expect({ status, type: body.type, path: body.metadata.issues[0].path }).toEqual({
      status: 400,
      type: 'InvalidPayload',
      path: 'id',
    });
  });

  it('creates one conversation for a hundred concurrent calls', async () => {
    const installation = await install();
    const { key } = await newUser(installation);

    const answers = await Promise.all(
      Array.from({ length: CROWD }, () => getOrCreate(installation.chatUrl, key, 'once')),
    );

    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(CROWD - 1);
    expect(new Set(answers.map(({ body }) => body.conversation.createdAt)).size).toBe(1);
  });
});
