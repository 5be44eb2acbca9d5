import { describe, expect, it } from 'vitest';
import { clock } from '#shared/core/clock.ts';
import { handoffsOf, type Member, newTalk, useTeam } from '#test/support/handoffs.ts';
import { eventually, isLeftOut, newBot, settled, useSharedPlatform } from '#test/support/platform.ts';

useSharedPlatform();

const { team } = useTeam();

const PICTURE = 'https://example.com/ada.png';
const text = (value: string) => ({ type: 'text', payload: { text: value } });
const replyAs = ({ token }: Member, id: string, body: unknown) =>
  team.bot.call('POST', `/handoffs/${id}/messages`, { token, body });

/** A conversation of a chat user that is assigned to a member. */
async function served(by: Member) {
  const talk = await newTalk(team.bot);
  const { body } = await handoffsOf(team.bot, by.token).start(talk.conversationId, { accountId: by.accountId });
  return { ...talk, id: body.handoff.id as string, userId: body.handoff.member.userId as string };
}

describe('POST /v1/chat/handoffs/{id}/messages', () => {
  it('creates an outgoing message of the member, with name and picture for end users', async () => {
    const member = await team.bot.workspace.join('agent');
    await team.bot.workspace.call('PUT', '/account/me', {
      token: member.token,
      body: { displayName: 'Ada', profilePicture: PICTURE },
    });
    const talk = await newTalk(team.bot);
    const { body: started } = await handoffsOf(team.bot).start(talk.conversationId, { accountId: member.accountId });
    const { member: serving } = started.handoff;

    const { status, body } = await replyAs(member, started.handoff.id, { ...text('Hello'), tags: { mood: 'good' } });

    expect(status).toBe(201);
    expect(body.message).toMatchObject({
      ...text('Hello'),
      direction: 'outgoing',
      userId: serving.userId,
      conversationId: talk.conversationId,
      tags: { mood: 'good' },
    });
    const { messages } = await talk.client.listMessages({ conversationId: talk.conversationId });
    expect(messages).toMatchObject([{ userId: serving.userId, payload: { type: 'text', text: 'Hello' } }]);
    const { participants } = await talk.client.listParticipants({ conversationId: talk.conversationId });
    expect(participants).toContainEqual(
      expect.objectContaining({ id: serving.userId, name: 'Ada', pictureUrl: PICTURE }),
    );
  });

  it.skipIf(isLeftOut('stream'))(
    "reaches the official client's listener, with the member's arrival, typing, read mark and departure",
    async () => {
      const { client, conversationId, say } = await newTalk(team.bot);
      const { body: waiting } = await handoffsOf(team.bot).start(conversationId);
      const { id } = waiting.handoff;
      const listener = await client.listenConversation({ id: conversationId });
      const heard: { type: string; data: unknown }[] = [];
      const types = ['participant_added', 'message_created'] as const;
      for (const type of types) listener.on(type, data => heard.push({ type, data }));
      // The client forwards the text of unknown types.
      listener.on('unknown', signal => heard.push(JSON.parse(String(signal))));
      const until = (count: number) => eventually(async () => expect(heard).toHaveLength(count));
      const { token, accountId } = team.ada;
      const post = (path: string, body: unknown) => team.bot.call('POST', `/handoffs/${id}/${path}`, { token, body });

      const messageId = await say('Hello?');
      await until(1);
      const { body: served } = await handoffsOf(team.bot, token).assign(id);
      await until(3);
      await post('typing', {});
      await until(4);
      await team.bot.call('PUT', `/handoffs/${id}/read`, { token, body: { messageId } });
      await until(5);
      await post('messages', text('Hello'));
      await until(6);
      await handoffsOf(team.bot, token).end(id);
      await until(7);
      await listener.disconnect();

      const { userId } = served.handoff.member;
      expect(served.handoff.member.id).toBe(accountId);
      const [, ...later] = heard;
      expect(later.slice(0, 2)).toContainEqual({
        type: 'participant_added',
        data: { conversationId, participantId: userId },
      });
      expect(later.slice(0, 2)).toContainEqual({ type: 'handoff', data: { conversationId, status: 'served', userId } });
      expect(later.slice(2)).toMatchObject([
        { type: 'typing', data: { conversationId, userId, isTyping: true } },
        { type: 'message_read', data: { conversationId, userId, messageId } },
        { type: 'message_created', data: { conversationId, userId, isBot: true, payload: { text: 'Hello' } } },
        { type: 'handoff', data: { conversationId, status: 'closed' } },
      ]);
    },
  );

  it('does not show the email of a member without a name', async () => {
    const { client, conversationId, userId } = await served(team.ada);

    const { participants } = await client.listParticipants({ conversationId });

    expect(participants.find(({ id }) => id === userId)).not.toHaveProperty('name');
  });

  it('uses one user for all conversations of a member', async () => {
    const [one, other] = [await served(team.ada), await served(team.ada)];

    expect(one.userId).toBe(other.userId);
    expect((await team.bot.client.getUser({ id: one.userId })).user).toMatchObject({
      memberAccountId: team.ada.accountId,
      attributes: {},
    });
  });

  it('adds the member again after they were removed from the conversation', async () => {
    const { id, conversationId, userId } = await served(team.ada);
    await team.bot.client.removeParticipant({ id: conversationId, userId });

    await replyAs(team.ada, id, text('Hello'));

    const { participants } = await team.bot.client.listParticipants({ id: conversationId });
    expect(participants.map(each => each.id)).toContain(userId);
  });

  it('counts the reply as a message of the bot', async () => {
    const own = await newBot();
    const { conversationId } = await newTalk(own);
    const { token, accountId } = own.workspace.owner;
    const { body } = await handoffsOf(own, token).start(conversationId, { accountId });

    await own.call('POST', `/handoffs/${body.handoff.id}/messages`, { token, body: text('Hello') });
    await settled();

    const today = new Date(clock.now()).toISOString().slice(0, 10);
    const { records } = await own.workspace.owner.client.getBotAnalytics({
      id: own.id,
      startDate: today,
      endDate: today,
    });
    expect(records).toMatchObject([{ botMessages: 1, userMessages: 0 }]);
  });

  it('returns 409 to everyone except the assignee', async () => {
    const { id } = await served(team.ada);
    const talk = await newTalk(team.bot);
    const { body: waiting } = await handoffsOf(team.bot).start(talk.conversationId);
    const closed = await served(team.ada);
    await handoffsOf(team.bot, team.ada.token).end(closed.id);

    const answers = [
      await replyAs(team.bob, id, text('Hello')),
      await replyAs(team.ada, waiting.handoff.id, text('Hello')),
      await replyAs(team.ada, closed.id, text('Hello')),
    ];

    for (const answer of answers) expect(answer).toMatchObject({ status: 409, body: { type: 'RelationConflict' } });
    expect(answers[0]!.body.metadata).toMatchObject({ member: { id: team.ada.accountId } });
  });

  it('serializes a reply and the end of the handoff', async () => {
    const { id, conversationId } = await served(team.ada);

    const [reply, end] = await Promise.all([
      replyAs(team.ada, id, text('Hello')),
      handoffsOf(team.bot, team.ada.token).end(id),
    ]);

    expect(end.status).toBe(200);
    const { messages } = await team.bot.client.listMessages({ conversationId });
    expect(messages).toHaveLength(reply.status === 201 ? 1 : 0);
    if (reply.status !== 201) expect(reply).toMatchObject({ status: 409, body: { metadata: { handoffId: id } } });
  });

  it('creates one message for a repeated Idempotency-Key', async () => {
    const { id, conversationId } = await served(team.ada);
    const options = { token: team.ada.token, body: text('Hello'), headers: { 'idempotency-key': id } };
    const send = () => team.bot.call('POST', `/handoffs/${id}/messages`, options);

    const [first, again] = [await send(), await send()];

    expect(again.body).toEqual(first.body);
    expect((await team.bot.client.listMessages({ conversationId })).messages).toHaveLength(1);
  });
});
