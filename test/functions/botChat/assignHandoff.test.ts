import { beforeAll, describe, expect, it } from 'vitest';
import { findPresence } from '#shared/storage/dynamodb/chat/presence.ts';
import { handoffsOf, newTalk, newWaiting } from '#test/support/handoffs.ts';
import { isLeftOut, newBot, type TestBot, useSharedPlatform } from '#test/support/platform.ts';

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

describe('POST /v1/chat/handoffs/{id}/assign', () => {
  it('lets the caller serve a waiting conversation', async () => {
    const { id } = await newWaiting(bot);

    const { status, body } = await as(ada).assign(id);

    expect(status).toBe(200);
    expect(body.handoff).toMatchObject({
      status: 'served',
      member: { id: ada.accountId, name: expect.stringContaining('@example.com') },
    });
    const { records } = await bot.workspace.owner.client.getAuditRecords({ id: bot.workspace.id });
    expect(records).toContainEqual(
      expect.objectContaining({ value: `ASSIGN_HANDOFF ${id} ${ada.accountId}`, userId: ada.accountId }),
    );
  });

  it('changes nothing when repeated', async () => {
    const { id } = await newWaiting(bot);
    const first = await as(ada).assign(id);

    const again = await as(ada).assign(id);

    expect(again).toMatchObject({ status: 200, body: first.body });
  });

  it('lets one of several concurrent members take over, and returns that member to the others', async () => {
    const { id } = await newWaiting(bot);
    const members = [ada, bob, bot.workspace.owner];

    const answers = await Promise.all(members.map(each => as(each).assign(id)));

    const winner = answers.find(({ status }) => status === 200)!.body.handoff.member;
    const losers = answers.filter(({ status }) => status !== 200);
    expect(losers).toHaveLength(2);
    for (const loser of losers) {
      expect(loser).toMatchObject({
        status: 409,
        body: {
          type: 'RelationConflict',
          message: expect.stringContaining(`${winner.name} serves this conversation.`),
          metadata: { handoffId: id, member: winner },
        },
      });
    }
    expect((await as(ada).get(id)).body.handoff.member).toEqual(winner);
  });

  it('replaces a member whom the caller names', async () => {
    const { id } = await newWaiting(bot);
    await as(ada).assign(id);

    const { body } = await as(bob).assign(id, { servedBy: ada.accountId });

    expect(body.handoff.member.id).toBe(bob.accountId);
  });

  it('returns 409 when another member serves it than the caller names', async () => {
    const { id } = await newWaiting(bot);
    await as(ada).assign(id);

    const answer = await as(bob).assign(id, { servedBy: bot.workspace.owner.accountId });

    expect(answer).toMatchObject({ status: 409, body: { metadata: { member: { id: ada.accountId } } } });
  });

  it('lets a member reassign the conversation, or return it to the queue', async () => {
    const { id } = await newWaiting(bot);
    await as(ada).assign(id);

    const passed = await as(ada).assign(id, { accountId: bob.accountId });
    const released = await as(bob).assign(id, { accountId: null });

    expect(passed.body.handoff.member.id).toBe(bob.accountId);
    expect(released.body.handoff).toMatchObject({ status: 'waiting' });
    expect(released.body.handoff).not.toHaveProperty('member');
  });

  it('lets the bot choose the member', async () => {
    const { id } = await newWaiting(bot);

    const unnamed = await handoffsOf(bot).assign(id);
    const { body } = await handoffsOf(bot).assign(id, { accountId: ada.accountId });

    expect(unnamed).toMatchObject({ status: 400, body: { type: 'InvalidPayload' } });
    expect(body.handoff.member.id).toBe(ada.accountId);
  });

  it('lets either a concurrent end or take-over win', async () => {
    const { id } = await newWaiting(bot);

    const [taken, ended] = await Promise.all([as(ada).assign(id), handoffsOf(bot).end(id)]);

    const { body } = await as(ada).get(id);
    if (taken.status === 200) {
      expect(body.handoff).toMatchObject({ status: 'served', member: { id: ada.accountId } });
      expect(ended).toMatchObject({ status: 409, body: { metadata: { member: { id: ada.accountId } } } });
    } else {
      expect(body.handoff).toMatchObject({ status: 'closed', endedBy: { type: 'bot', id: bot.id } });
      expect(taken).toMatchObject({
        status: 409,
        body: { type: 'RelationConflict', message: expect.stringMatching(/^The bot Bot ended this handoff at /) },
      });
    }
    expect([taken.status, ended.status].sort()).toEqual([200, 409]);
  });

  it('returns 400 for a member who may not serve, and 404 for an unknown handoff', async () => {
    const { id } = await newWaiting(bot);
    const viewer = await bot.workspace.join('viewer');
    const other = await newBot(bot.workspace);

    const answers = [
      await as(ada).assign(id, { accountId: viewer.accountId }),
      await as(ada).assign('no-such'),
      await handoffsOf(other, ada.token).assign(id),
    ];

    expect(answers.map(({ body }) => body.type)).toEqual(['ReferenceNotFound', 'ResourceNotFound', 'ResourceNotFound']);
  });

  it('shows end users who serves the conversation, and that it ended', async () => {
    const { client, conversationId } = await newTalk(bot);
    const { token, accountId } = bot.workspace.owner;
    const shown = async () =>
      (await client.getConversation({ id: conversationId })).conversation as { handoff?: unknown };
    const signalled = () => findPresence(bot.id, conversationId);

    const { body } = await handoffsOf(bot).start(conversationId);
    const waiting = [await shown(), await signalled()];
    const { body: assigned } = await handoffsOf(bot, token).assign(body.handoff.id);
    const served = [await shown(), await signalled()];
    await handoffsOf(bot, token).end(body.handoff.id);
    const closed = [await shown(), await signalled()];

    const { userId } = assigned.handoff.member;
    expect(assigned.handoff.member.id).toBe(accountId);
    expect(waiting).toMatchObject([{ handoff: { status: 'waiting' } }, [{ kind: 'handoff', status: 'waiting' }]]);
    expect(served).toMatchObject([
      { handoff: { status: 'served', userId } },
      [{ kind: 'handoff', status: 'served', memberUserId: userId }],
    ]);
    expect(closed).toMatchObject([{ id: conversationId }, [{ kind: 'handoff', status: 'closed' }]]);
    expect(closed[0]).not.toHaveProperty('handoff');
  });

  it.skipIf(isLeftOut('stream'))('sends the signal to listeners', async () => {
    const { key, conversationId } = await newTalk(bot);
    const { body } = await handoffsOf(bot).start(conversationId);
    const stop = new AbortController();
    const url = `${bot.chatUrl}/conversations/${conversationId}/listen`;
    const response = await fetch(url, { headers: { 'x-user-key': key }, signal: stop.signal });
    const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
    let text = (await reader.read()).value ?? '';

    const { body: assigned } = await as(ada).assign(body.handoff.id);
    while (!text.includes('"served"')) text += (await reader.read()).value ?? '';
    stop.abort();

    const data = { conversationId, status: 'served', userId: assigned.handoff.member.userId };
    expect(text).toContain(JSON.stringify({ type: 'handoff', data }));
  });
});
