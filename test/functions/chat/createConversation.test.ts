import { describe, expect, it } from 'vitest';
import { CROWD, call, chat, install, newUser, useSharedPlatform } from '#test/support/platform.ts';

useSharedPlatform();

describe('POST /conversations', () => {
  it('creates a conversation with the caller as owner and only participant', async () => {
    const { client, user } = await newUser(await install());

    const { conversation } = await client.createConversation({});

    expect(conversation.id).toMatch(/^convo_[0-9A-Za-z]{22}$/);
    expect((await client.getConversation({ id: conversation.id })).conversation).toEqual(conversation);
    expect((await client.listParticipants({ conversationId: conversation.id })).participants).toEqual([user]);
  });

  it('returns 201 with the foreign id', async () => {
    const installation = await install();
    const { key } = await newUser(installation);

    const { status, body } = await call(`${installation.chatUrl}/conversations`, {
      method: 'POST',
      key,
      body: { id: 'c-1' },
    });

    expect(status).toBe(201);
    expect(Object.keys(body.conversation).sort()).toEqual(['createdAt', 'id', 'updatedAt']);
    expect(body.conversation.id).toBe('c-1');
  });

  it('accepts an empty body', async () => {
    const installation = await install();
    const { key } = await newUser(installation);

    expect((await call(`${installation.chatUrl}/conversations`, { method: 'POST', key })).status).toBe(201);
  });

  it.each(['a b', 'a/b', 'x'.repeat(71), '', `convo_${'a'.repeat(22)}`])('returns 400 for the id %j', async id => {
    const { client } = await newUser(await install());

    await expect(client.createConversation({ id })).rejects.toThrow(chat.InvalidPayloadError);
  });

  it('returns 404 to a caller whose user was never created, and creates nothing', async () => {
    const installation = await install();
    const key = installation.keyOf('nobody');

    const { status } = await call(`${installation.chatUrl}/conversations`, { method: 'POST', key, body: { id: 'c' } });

    expect(status).toBe(404);
    const { client } = await newUser(installation);
    await expect(client.getConversation({ id: 'c' })).rejects.toThrow(chat.ResourceNotFoundError);
  });

  it('creates one conversation for a hundred concurrent calls and returns 409 to the others', async () => {
    const installation = await install();
    const { key } = await newUser(installation);

    const answers = await Promise.all(
      Array.from({ length: CROWD }, () =>
        call(`${installation.chatUrl}/conversations`, { method: 'POST', key, body: { id: 'once' } }),
      ),
    );

    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter(status => status === 201)).toHaveLength(1);
    expect(statuses.filter(status => status === 409)).toHaveLength(CROWD - 1);
  });
});
