import { describe, expect, it } from 'vitest';
import { clock } from '#shared/core/clock.ts';
import { resolveUserId } from '#shared/core/ids.ts';
import { markUserEnding } from '#shared/storage/dynamodb/chat/users.ts';
import { call, chat, eventually, install, isLeftOut, newUser, useSharedPlatform } from '#test/support/platform.ts';

useSharedPlatform();

describe('DELETE /users/me', () => {
  it('deletes the user, removes them from all conversations immediately, and keeps their messages', async () => {
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

  it('removes participations beyond one transaction before the response', async () => {
    const installation = await install();
    const { client, key } = await newUser(installation, { id: 'busy' });
    const made = [];
    for (let i = 0; i < 12; i++) {
      made.push(...(await Promise.all(Array.from({ length: 10 }, () => client.createConversation({})))));
    }

    await client.deleteUser({});

    const answers = await Promise.all(
      made.map(({ conversation }) => call(`${installation.chatUrl}/conversations/${conversation.id}`, { key })),
    );
    expect(answers.filter(({ status }) => status !== 403)).toEqual([]);
    await comeBack(installation, key);
    expect((await client.listConversations({})).conversations).toEqual([]);
  });

  it.skipIf(isLeftOut('faults'))('completes an interrupted deletion in the sweep', async () => {
    const installation = await install();
    const { client, key } = await newUser(installation, { id: 'ada' });
    const { conversation } = await client.createConversation({});
    const { botId, webhookId } = installation;
    const user = { id: resolveUserId(webhookId, 'ada')! };

    // Simulates an interrupted call.
    await markUserEnding({ botId, webhookId }, user, { shownId: 'ada', nowMs: clock.now() });

    await expect(client.getUser({})).rejects.toThrow(chat.ResourceNotFoundError);
    await expect(client.createConversation({})).rejects.toThrow(chat.ResourceNotFoundError);
    await eventually(async () => {
      const { status } = await call(`${installation.chatUrl}/conversations/${conversation.id}`, { key });
      expect(status).toBe(403);
    });
    const { user: present } = await newUser(installation, { id: 'ada' });
    expect(present.id).toBe('ada');
  });

  it('rejects adding the user to a conversation during the deletion', async () => {
    const installation = await install();
    const owner = await newUser(installation);
    const { conversation } = await owner.client.createConversation({});
    const guest = await newUser(installation, { id: 'guest' });
    const add = () =>
      owner.client.addParticipant({ conversationId: conversation.id, userId: 'guest' }).catch(error => error.code);

    const [, ...added] = await Promise.all([guest.client.deleteUser({}), ...Array.from({ length: 10 }, add)]);

    expect(added.filter(each => typeof each === 'number' && each !== 404)).toEqual([]);
    expect((await owner.client.listParticipants({ conversationId: conversation.id })).participants).toEqual([
      owner.user,
    ]);
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

  it('returns 404 to the second of two calls, even if concurrent', async () => {
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
