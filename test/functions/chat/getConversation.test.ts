import { describe, expect, it } from 'vitest';
import { chat, eventually, install, newUser, useSharedPlatform } from '#test/support/platform.ts';

useSharedPlatform();

describe('GET /conversations/{id}', () => {
  it('shows a participant the conversation under its foreign id', async () => {
    const installation = await install();
    const [owner, guest] = [await newUser(installation), await newUser(installation)];
    await owner.client.createConversation({ id: 'c' });
    await owner.client.addParticipant({ conversationId: 'c', userId: guest.user.id });

    const { conversation } = await guest.client.getConversation({ id: 'c' });

    expect(conversation.id).toBe('c');
  });

  it('returns 403 to a stranger and 404 for an unknown conversation', async () => {
    const installation = await install();
    const [owner, stranger] = [await newUser(installation), await newUser(installation)];
    const { conversation } = await owner.client.createConversation({});

    await expect(stranger.client.getConversation({ id: conversation.id })).rejects.toThrow(chat.ForbiddenError);
    await expect(owner.client.getConversation({ id: 'no-such' })).rejects.toThrow(chat.ResourceNotFoundError);
    await expect(owner.client.getConversation({ id: 'not an id' })).rejects.toThrow(chat.ResourceNotFoundError);
  });

  it('hides the conversation from other installations of the same bot', async () => {
    const here = await install();
    const { client, key } = await newUser(here);
    const { conversation } = await client.createConversation({});
    const twin = await install({ botId: here.botId, encryptionKey: here.encryptionKey });

    const there = new chat.Client({ apiUrl: twin.chatUrl });

    await expect(there.getConversation({ id: conversation.id, 'x-user-key': key })).rejects.toThrow(
      chat.ResourceNotFoundError,
    );
  });

  it('advances updatedAt with a new message', async () => {
    const { client } = await newUser(await install());
    const { conversation } = await client.createConversation({});
    const { message } = await client.createMessage({
      conversationId: conversation.id,
      payload: { type: 'text', text: 'hi' },
    });

    await eventually(async () => {
      expect((await client.getConversation({ id: conversation.id })).conversation.updatedAt).toBe(message.createdAt);
    });
  });
});
