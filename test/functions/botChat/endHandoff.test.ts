import { beforeAll, describe, expect, it } from 'vitest';
import { callChat, handoffsOf, newTalk, newWaiting } from '#test/support/handoffs.ts';
import { newBot, type TestBot, useSharedPlatform } from '#test/support/platform.ts';

useSharedPlatform();

type Member = Awaited<ReturnType<TestBot['workspace']['join']>>;
let bot: TestBot;
let ada: Member;
let bob: Member;
beforeAll(async () => {
  bot = await newBot();
  [ada, bob] = [await bot.workspace.join('agent'), await bot.workspace.join('agent')];
});

const as = ({ token }: Member) => handoffsOf(bot, token);
const endedIn = async (conversationId: string) =>
  (await bot.client.listEvents({ conversationId, type: 'handoff_ended' })).events;

describe('POST /v1/chat/handoffs/{id}/end', () => {
  it('closes the handoff, with an audit record', async () => {
    const { id } = await newWaiting(bot);
    await as(ada).assign(id);

    const { status, body } = await as(ada).end(id);

    expect(status).toBe(200);
    expect(body.handoff).toMatchObject({
      status: 'closed',
      member: { id: ada.accountId },
      endedBy: { type: 'member', id: ada.accountId },
      endedAt: expect.any(String),
    });
    const { records } = await bot.workspace.owner.client.getAuditRecords({ id: bot.workspace.id });
    expect(records.map(({ value }) => value)).toContain(`END_HANDOFF ${id}`);
  });

  it('creates one event with the query of the messages in between', async () => {
    const { conversationId, say } = await newTalk(bot);
    await say('before');
    const { body: started } = await handoffsOf(bot).start(conversationId);
    await say('first');
    await bot.client.createMessage({
      conversationId,
      userId: bot.id,
      type: 'text',
      payload: { text: 'second' },
      tags: {},
    });
    await handoffsOf(bot).end(started.handoff.id);
    await handoffsOf(bot).end(started.handoff.id);
    await say('after');

    const events = await endedIn(conversationId);

    expect(events).toHaveLength(1);
    const { handoff, messages } = events[0]!.payload;
    expect(handoff).toMatchObject({ id: started.handoff.id, status: 'closed' });
    const query = new URLSearchParams(messages).toString();
    const { body } = await callChat(bot.client, 'GET', `/messages?${query}`);
    const texts = body.messages.map(({ payload }: { payload: { text: string } }) => payload.text);
    expect(texts).toEqual(expect.arrayContaining(['second', 'first']));
  });

  it('returns the closed handoff when it is repeated', async () => {
    const { id, conversationId } = await newWaiting(bot);
    const first = await as(ada).end(id);

    const again = await as(bob).end(id);

    expect(again).toMatchObject({ status: 200, body: first.body });
    expect(await endedIn(conversationId)).toHaveLength(1);
  });

  it('returns 409 with the member who serves it, unless the caller names that member', async () => {
    const { id } = await newWaiting(bot);
    await as(ada).assign(id);

    const [byBob, byBot] = [await as(bob).end(id), await handoffsOf(bot).end(id)];
    const named = await as(bob).end(id, { servedBy: ada.accountId });

    for (const refused of [byBob, byBot])
      expect(refused).toMatchObject({ status: 409, body: { metadata: { member: { id: ada.accountId } } } });
    expect(named.body.handoff).toMatchObject({ status: 'closed', endedBy: { id: bob.accountId } });
  });

  it('creates one event for any number of concurrent callers', async () => {
    const { id, conversationId } = await newWaiting(bot);

    const answers = await Promise.all(Array.from({ length: 6 }, () => handoffsOf(bot).end(id)));

    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200]);
    expect(await endedIn(conversationId)).toHaveLength(1);
  });

  it('returns 404 for an unknown handoff, and for one whose conversation was deleted', async () => {
    const { id, conversationId } = await newWaiting(bot);
    await bot.client.deleteConversation({ id: conversationId });

    const answers = [await as(ada).end('no-such'), await as(ada).end(id)];

    for (const answer of answers) expect(answer).toMatchObject({ status: 404, body: { type: 'ResourceNotFound' } });
  });
});
