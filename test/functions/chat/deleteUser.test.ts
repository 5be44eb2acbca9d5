import { describe, expect, it } from 'vitest';
import { call, chat, crowds, eventually, install, newUser, usePlatform } from '#test/support/platform.ts';

usePlatform();

describe('DELETE /users/me', () => {
  it('deletes the user, removes them from all conversations at once, and keeps their messages', async () => {
    const installation = await install();
    const [owner, guest] = [await newUser(installation), await newUser(installation)];
    const { conversation } = await owner.client.createConversation({});
    await owner.client.addParticipant({ conversationId: conversation.id, userId: guest.user.id });
    const { message } = await guest.client.createMessage({
      conversationId: conversation.id,
      payload: { type: 'text', text: 'I was here' },
    });

    await guest.client.deleteUser({});

    await expect(guest.client.getUser({})).rejects.toThrow(chat.ResourceNotFoundError);
    await expect(guest.client.getConversation({ id: conversation.id })).rejects.toThrow(chat.ForbiddenError);
    expect((await owner.client.listParticipants({ conversationId: conversation.id })).participants).toEqual([
      owner.user,
    ]);
    expect((await owner.client.listMessages({ conversationId: conversation.id })).messages).toEqual([message]);
  });

  it('removes participations beyond one transaction a moment later', async () => {
    const installation = await install();
    const { client, key } = await newUser(installation, { id: 'busy' });
    await crowds(120, () => client.createConversation({}));

    await client.deleteUser({});
    await comeBack(installation, key);

    await eventually(async () => {
      const { body } = await call(`${installation.chatUrl}/conversations`, { key });
      expect(body.conversations).toEqual([]);
    });
  });

  it('keeps the conversations of a user created again under the same id', async () => {
    const installation = await install();
    const { client, key } = await newUser(installation, { id: 'ada' });
    await client.deleteUser({});
    await comeBack(installation, key);
    const { conversation } = await client.createConversation({});

    await eventually(async () => {
      expect((await client.listConversations({})).conversations).toEqual([conversation]);
    });
    expect((await client.getConversation({ id: conversation.id })).conversation).toEqual(conversation);
  });

  it('answers 404 to the second of two calls, also when concurrent', async () => {
    const installation = await install();
    const { key } = await newUser(installation);

    const answers = await Promise.all(
      [1, 2].map(() => call(`${installation.chatUrl}/users/me`, { method: 'DELETE', key })),
    );

    expect(answers.map(({ status }) => status).sort()).toEqual([200, 404]);
  });
});

const comeBack = ({ chatUrl }: { chatUrl: string }, key: string) =>
  call(`${chatUrl}/users/get-or-create`, { method: 'POST', key, body: {} });
