import { describe, expect, it } from 'vitest';
import { callChat, handoffsOf, newTalk, newWaiting, useTeam } from '#test/support/handoffs.ts';
import { useSharedPlatform } from '#test/support/platform.ts';

useSharedPlatform();

const { team, as } = useTeam();
const endedIn = async (conversationId: string) =>
  (await team.bot.client.listEvents({ conversationId, type: 'handoff_ended' })).events;

describe('POST /v1/chat/handoffs/{id}/end', () => {
  it('closes the handoff, with an audit record', async () => {
    const { id } = await newWaiting(team.bot);
    await as(team.ada).assign(id);

    const { status, body } = await as(team.ada).end(id);

    expect(status).toBe(200);
    expect(body.handoff).toMatchObject({
      status: 'closed',
      member: { id: team.ada.accountId },
      endedBy: { type: 'member', id: team.ada.accountId },
      endedAt: expect.any(String),
    });
    const { records } = await team.bot.workspace.owner.client.getAuditRecords({ id: team.bot.workspace.id });
    expect(records.map(({ value }) => value)).toContain(`END_HANDOFF ${id}`);
  });

  it('creates one event with the query for the messages of the handoff', async () => {
    const { conversationId, say } = await newTalk(team.bot);
    await say('before');
    const { body: started } = await handoffsOf(team.bot).start(conversationId);
    await say('first');
    await team.bot.client.createMessage({
      conversationId,
      userId: team.bot.id,
      type: 'text',
      payload: { text: 'second' },
      tags: {},
    });
    await handoffsOf(team.bot).end(started.handoff.id);
    await handoffsOf(team.bot).end(started.handoff.id);
    await say('after');

    const events = await endedIn(conversationId);

    expect(events).toHaveLength(1);
    const { handoff, messages } = events[0]!.payload;
    expect(handoff).toMatchObject({ id: started.handoff.id, status: 'closed' });
    const query = new URLSearchParams(messages).toString();
    const { body } = await callChat(team.bot.client, 'GET', `/messages?${query}`);
    const texts = body.messages.map(({ payload }: { payload: { text: string } }) => payload.text);
    expect(texts).toEqual(expect.arrayContaining(['second', 'first']));
  });

  it('hands back by default, and stores who resolved a request, also in the event', async () => {
    const [handedBack, resolved] = [await newWaiting(team.bot), await newWaiting(team.bot)];

    const answers = [
      await as(team.ada).end(handedBack.id),
      await as(team.ada).end(resolved.id, { outcome: 'resolved' }),
      await as(team.ada).end(resolved.id, { outcome: 'handedBack' }),
    ];

    expect(answers.map(({ body }) => body.handoff.outcome)).toEqual(['handedBack', 'resolved', 'resolved']);
    const outcomes = [await endedIn(handedBack.conversationId), await endedIn(resolved.conversationId)].map(
      ([event]) => event!.payload.handoff.outcome,
    );
    expect(outcomes).toEqual(['handedBack', 'resolved']);
    const { handoffs } = (await as(team.ada).list(`?conversationId=${resolved.conversationId}`)).body;
    expect(handoffs[0].outcome).toBe('resolved');
  });

  it('returns 400 for an unknown outcome', async () => {
    const { id } = await newWaiting(team.bot);

    const { status, body } = await as(team.ada).end(id, { outcome: 'done' });

    expect({ status, message: body.message }).toEqual({ status: 400, message: expect.stringContaining('outcome') });
  });

  it('returns the closed handoff when it is repeated', async () => {
    const { id, conversationId } = await newWaiting(team.bot);
    const first = await as(team.ada).end(id);

    const again = await as(team.bob).end(id);

    expect(again).toMatchObject({ status: 200, body: first.body });
    expect(await endedIn(conversationId)).toHaveLength(1);
  });

  it('returns 409 with the assignee, unless the caller names that member', async () => {
    const { id } = await newWaiting(team.bot);
    await as(team.ada).assign(id);

    const [byBob, byBot] = [await as(team.bob).end(id), await handoffsOf(team.bot).end(id)];
    const named = await as(team.bob).end(id, { servedBy: team.ada.accountId });

    for (const refused of [byBob, byBot])
      expect(refused).toMatchObject({ status: 409, body: { metadata: { member: { id: team.ada.accountId } } } });
    expect(named.body.handoff).toMatchObject({ status: 'closed', endedBy: { id: team.bob.accountId } });
  });

  it('creates one event for any number of concurrent callers', async () => {
    const { id, conversationId } = await newWaiting(team.bot);

    const answers = await Promise.all(Array.from({ length: 6 }, () => handoffsOf(team.bot).end(id)));

    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200]);
    expect(await endedIn(conversationId)).toHaveLength(1);
  });

  it('returns 404 for an unknown handoff, and for one whose conversation was deleted', async () => {
    const { id, conversationId } = await newWaiting(team.bot);
    await team.bot.client.deleteConversation({ id: conversationId });

    const answers = [await as(team.ada).end('no-such'), await as(team.ada).end(id)];

    for (const answer of answers) expect(answer).toMatchObject({ status: 404, body: { type: 'ResourceNotFound' } });
  });
});
