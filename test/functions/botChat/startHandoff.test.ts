import { beforeAll, describe, expect, it } from 'vitest';
import { handoffsOf, newConversation } from '#test/support/handoffs.ts';
import { newBot, newWorkspace, type TestBot, useSharedPlatform } from '#test/support/platform.ts';

useSharedPlatform();

let bot: TestBot;
let agent: Awaited<ReturnType<TestBot['workspace']['join']>>;
beforeAll(async () => {
  bot = await newBot();
  agent = await bot.workspace.join('agent');
});

const eventsIn = async (conversationId: string) =>
  (await bot.client.listEvents({ conversationId })).events.filter(({ type }) => type.startsWith('handoff_'));
const audited = async () => {
  const { records } = await bot.workspace.owner.client.getAuditRecords({ id: bot.workspace.id });
  return records.map(({ value, userId }) => ({ value, userId }));
};

describe('POST /v1/chat/handoffs', () => {
  it('lets the bot request a member, with an event and an audit record', async () => {
    const conversationId = await newConversation(bot);

    const { status, body } = await handoffsOf(bot).start(conversationId, { reason: 'Asks for a person' });

    expect(status).toBe(201);
    expect(body).toEqual({
      handoff: {
        id: expect.stringMatching(/^handoff_[0-9A-Za-z]{32}$/),
        conversationId,
        status: 'waiting',
        reason: 'Asks for a person',
        priority: 'normal',
        startedAt: expect.any(String),
        startedBy: { type: 'bot', id: bot.id, name: 'Bot' },
        updatedAt: expect.any(String),
        updatedBy: { type: 'bot', id: bot.id, name: 'Bot' },
        isUnread: false,
      },
      meta: { created: true },
    });
    expect(await eventsIn(conversationId)).toMatchObject([
      { type: 'handoff_started', conversationId, payload: { conversationId, handoff: body.handoff } },
    ]);
    expect(await audited()).toContainEqual({ value: `START_HANDOFF ${body.handoff.id}`, userId: null });
  });

  it('lets a member take the conversation over', async () => {
    const conversationId = await newConversation(bot);

    const { body } = await handoffsOf(bot, agent.token).start(conversationId, { accountId: agent.accountId });

    expect(body.handoff).toMatchObject({
      status: 'served',
      member: { id: agent.accountId, name: expect.stringContaining('@example.com') },
      servedAt: expect.any(String),
      startedBy: { type: 'member', id: agent.accountId },
    });
    const value = `START_HANDOFF ${body.handoff.id} ${agent.accountId}`;
    expect(await audited()).toContainEqual({ value, userId: agent.accountId });
  });

  it('returns the open handoff when it is repeated', async () => {
    const conversationId = await newConversation(bot);
    const first = await handoffsOf(bot).start(conversationId);

    const again = await handoffsOf(bot, agent.token).start(conversationId);

    expect(again).toMatchObject({ status: 200, body: { handoff: first.body.handoff, meta: { created: false } } });
    expect(await eventsIn(conversationId)).toHaveLength(1);
  });

  it('assigns the open handoff to the named member', async () => {
    const conversationId = await newConversation(bot);
    const { body: first } = await handoffsOf(bot).start(conversationId);

    const { body } = await handoffsOf(bot, agent.token).start(conversationId, { accountId: agent.accountId });

    expect(body.handoff).toMatchObject({ id: first.handoff.id, status: 'served', member: { id: agent.accountId } });
    expect(await eventsIn(conversationId)).toHaveLength(1);
  });

  it('starts another handoff after the end of the first', async () => {
    const conversationId = await newConversation(bot);
    const { body: first } = await handoffsOf(bot).start(conversationId);
    await handoffsOf(bot).end(first.handoff.id);

    const { status, body } = await handoffsOf(bot).start(conversationId);

    expect(status).toBe(201);
    expect(body.handoff.id > first.handoff.id).toBe(true);
  });

  it('creates one handoff for any number of concurrent callers', async () => {
    const conversationId = await newConversation(bot);

    const answers = await Promise.all(Array.from({ length: 8 }, () => handoffsOf(bot).start(conversationId)));

    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 200, 200, 200, 200, 201]);
    expect(new Set(answers.map(({ body }) => body.handoff.id)).size).toBe(1);
    expect(await eventsIn(conversationId)).toHaveLength(1);
  });

  it('lets one of two concurrent members take over, and returns that member to the other', async () => {
    const conversationId = await newConversation(bot);
    const members = [agent, await bot.workspace.join('agent')];

    const answers = await Promise.all(
      members.map(({ token, accountId }) => handoffsOf(bot, token).start(conversationId, { accountId })),
    );

    const [winner, loser] = answers.toSorted((one, other) => one.status - other.status);
    expect(winner!.status).toBe(201);
    expect(loser).toMatchObject({
      status: 409,
      body: {
        type: 'RelationConflict',
        message: expect.stringContaining(winner!.body.handoff.member.name),
        metadata: { handoffId: winner!.body.handoff.id, member: winner!.body.handoff.member },
      },
    });
  });

  it('returns 400 for a member who cannot be assigned, and for a non-member', async () => {
    const conversationId = await newConversation(bot);
    const viewer = await bot.workspace.join('viewer');
    const stranger = (await newWorkspace()).owner;

    const answers = [
      await handoffsOf(bot).start(conversationId, { accountId: viewer.accountId }),
      await handoffsOf(bot).start(conversationId, { accountId: stranger.accountId }),
      await handoffsOf(bot).start(conversationId, { accountId: 'nobody' }),
    ];

    for (const answer of answers) expect(answer).toMatchObject({ status: 400, body: { type: 'ReferenceNotFound' } });
  });

  it('returns 404 for an unknown conversation, a deleted one, and one of another bot', async () => {
    const conversationId = await newConversation(bot);
    const other = await newBot(bot.workspace);
    const deleted = await newConversation(bot);
    await bot.client.deleteConversation({ id: deleted });

    const answers = [
      await handoffsOf(bot).start('no-such'),
      await handoffsOf(bot).start(deleted),
      await handoffsOf(other).start(conversationId),
    ];

    for (const answer of answers) expect(answer).toMatchObject({ status: 404, body: { type: 'ResourceNotFound' } });
  });

  it('returns 403 to an integration', async () => {
    const { status } = await bot.call('POST', '/handoffs', { token: bot.tokens.integration, body: {} });

    expect(status).toBe(403);
  });
});
