import { describe, expect, it } from 'vitest';
import { CROWD, call, install, newUser, useSharedPlatform } from '#test/support/platform.ts';

useSharedPlatform();

const enter = (chatUrl: string, key: string, body: unknown = {}) =>
  call(`${chatUrl}/users/me/conversation`, { method: 'POST', key, body });

async function setUp() {
  const installation = await install();
  const { client, key, user } = await newUser(installation);
  return { installation, client, key, user, enter: (body: unknown = {}) => enter(installation.chatUrl, key, body) };
}

describe('POST /users/me/conversation', () => {
  it('returns 201 when it creates the conversation and 200 when it finds the same one', async () => {
    const { enter, client } = await setUp();

    const first = await enter();
    const second = await enter();

    expect([first.status, second.status]).toEqual([201, 200]);
    expect(second.body).toEqual(first.body);
    const { participants } = await client.listParticipants({ conversationId: first.body.conversation.id });
    expect(participants).toHaveLength(1);
  });

  it('creates one conversation for a hundred concurrent calls', async () => {
    const { enter, client } = await setUp();

    const answers = await Promise.all(Array.from({ length: CROWD }, () => enter()));

    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(CROWD - 1);
    expect(new Set(answers.map(({ body }) => body.conversation.id)).size).toBe(1);
    expect((await client.listConversations({})).conversations).toHaveLength(1);
  });

  it('replaces the current conversation once for concurrent calls, and a retry returns the new one', async () => {
    const { enter, client } = await setUp();
    const { id: replaces } = (await enter()).body.conversation;

    const answers = await Promise.all(Array.from({ length: 5 }, () => enter({ replaces })));
    const retried = await enter({ replaces });

    const ids = [...answers, retried].map(({ body }) => body.conversation.id);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 200, 200, 200, 201]);
    expect(new Set(ids).size).toBe(1);
    expect(ids).not.toContain(replaces);
    expect(retried.status).toBe(200);
    expect((await client.listConversations({})).conversations).toHaveLength(2);
  });

  it('returns the current conversation if `replaces` names another one', async () => {
    const { enter, client } = await setUp();
    const first = await enter();
    const { conversation: other } = await client.createConversation({ id: 'other' });

    const answer = await enter({ replaces: other.id });

    expect([answer.status, answer.body]).toEqual([200, first.body]);
  });

  it('replaces a deleted conversation once', async () => {
    const { enter, client } = await setUp();
    const { id } = (await enter()).body.conversation;
    await client.deleteConversation({ id });

    const answers = await Promise.all([enter(), enter(), enter({ replaces: id })]);

    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 200, 201]);
    const ids = new Set(answers.map(({ body }) => body.conversation.id));
    expect(ids.size).toBe(1);
    expect(ids).not.toContain(id);
  });

  it('replaces a conversation in which the caller no longer participates', async () => {
    const { installation, client, user, enter: enterAsGuest } = await setUp();
    const owner = await newUser(installation);
    const { conversation } = await owner.client.createConversation({});
    await owner.client.addParticipant({ conversationId: conversation.id, userId: user.id });
    expect((await enterAsGuest()).body.conversation.id).toBe(conversation.id);
    await client.removeParticipant({ conversationId: conversation.id, userId: user.id });

    const answer = await enterAsGuest();

    expect(answer.status).toBe(201);
    expect(answer.body.conversation.id).not.toBe(conversation.id);
  });

  it('continues the conversation with the latest activity of a user who has no current one', async () => {
    const { enter, client } = await setUp();
    await client.createConversation({ id: 'old' });
    await client.createConversation({ id: 'latest' });

    const first = await enter();
    await client.createConversation({ id: 'later' });
    const second = await enter();

    expect([first.status, first.body.conversation.id]).toEqual([200, 'latest']);
    expect(second.body.conversation.id).toBe('latest');
  });

  it('starts a new conversation for `replaces` of a user who has no current one', async () => {
    const { enter, client } = await setUp();
    await client.createConversation({ id: 'old' });
    await client.createConversation({ id: 'latest' });

    const answer = await enter({ replaces: 'old' });

    expect(answer.status).toBe(201);
    expect(answer.body.conversation.id).toMatch(/^convo_/);
  });

  it('returns a new conversation to a user who was created again', async () => {
    const installation = await install();
    const ada = await newUser(installation, { id: 'ada' });
    const { id } = (await enter(installation.chatUrl, ada.key)).body.conversation;
    await ada.client.deleteUser({});
    const again = await newUser(installation, { id: 'ada' });

    const answer = await enter(installation.chatUrl, again.key);

    expect(answer.status).toBe(201);
    expect(answer.body.conversation.id).not.toBe(id);
  });

  it('returns 404 to a key whose user does not exist', async () => {
    const installation = await install({ isPersonalKey: true });

    const { status, body } = await enter(installation.chatUrl, installation.keyOf('nobody'));

    expect([status, body.type, body.message]).toEqual([404, 'ResourceNotFound', expect.stringContaining('nobody')]);
  });

  it.each([7, null, '', 'a b', 'x'.repeat(71)])('returns 400 if replaces is %j', async replaces => {
    const { enter } = await setUp();

    const { status, body } = await enter({ replaces });

    expect({ status, type: body.type, path: body.metadata.issues[0].path }).toEqual({
      status: 400,
      type: 'InvalidPayload',
      path: 'replaces',
    });
  });
});
