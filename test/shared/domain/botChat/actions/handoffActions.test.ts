import { describe, expect, it } from 'vitest';
import { callChat, handoffsOf, newConversation, newTalk, useTeam } from '#test/support/handoffs.ts';
import { newBot, useSharedPlatform } from '#test/support/platform.ts';

useSharedPlatform();

const { team, as } = useTeam();
const run = (name: string, input: object) =>
  team.bot.call('POST', '/actions', { body: { type: `chat:${name}`, input } });

describe('the action startHandoff of a chat', () => {
  it('hands the conversation over to members', async () => {
    const { conversationId } = await newTalk(team.bot);

    const { status, body } = await run('startHandoff', { conversationId, reason: 'Order 7', priority: 'high' });

    expect({ status, output: body.output }).toEqual({
      status: 200,
      output: { handoffId: expect.stringMatching(/^handoff_/), status: 'waiting' },
    });
    const { body: found } = await as(team.ada).get(body.output.handoffId);
    expect(found.handoff).toMatchObject({
      ...{ conversationId, reason: 'Order 7', priority: 'high' },
      startedBy: { type: 'bot' },
    });
  });

  it('returns the open handoff when it is repeated, also concurrently', async () => {
    const { conversationId } = await newTalk(team.bot);

    const answers = await Promise.all([1, 2, 3].map(() => run('startHandoff', { conversationId })));

    expect(new Set(answers.map(({ body }) => body.output.handoffId)).size).toBe(1);
    const { events } = await team.bot.client.listEvents({ conversationId, type: 'handoff_started' });
    expect(events).toHaveLength(1);
  });

  it('returns 404 for a conversation of another bot', async () => {
    const other = await newBot(team.bot.workspace);

    const { status } = await run('startHandoff', { conversationId: await newConversation(other) });

    expect(status).toBe(404);
  });

  it('names an invalid field', async () => {
    const { conversationId } = await newTalk(team.bot);

    const { status, body } = await run('startHandoff', { conversationId, reason: 'x'.repeat(1_001) });

    expect(status).toBe(400);
    expect(body.message).toContain('input.reason');
  });
});

describe('the action endHandoff of a chat', () => {
  it('states that the request is finished', async () => {
    const { conversationId } = await newTalk(team.bot);
    const { body: started } = await run('startHandoff', { conversationId });

    await run('endHandoff', { conversationId, outcome: 'resolved' });

    const { body } = await as(team.ada).get(started.output.handoffId);
    expect(body.handoff).toMatchObject({ status: 'closed', outcome: 'resolved' });
  });

  it('returns a waiting conversation to the bot, once', async () => {
    const { conversationId } = await newTalk(team.bot);
    const { body: started } = await run('startHandoff', { conversationId });

    const answers = [await run('endHandoff', { conversationId }), await run('endHandoff', { conversationId })];

    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    const { body } = await as(team.ada).get(started.output.handoffId);
    expect(body.handoff).toMatchObject({ status: 'closed', endedBy: { type: 'bot' } });
    const { events } = await team.bot.client.listEvents({ conversationId, type: 'handoff_ended' });
    expect(events).toHaveLength(1);
  });

  it('does not end the handoff of a member whom the bot does not name', async () => {
    const { conversationId } = await newTalk(team.bot);
    const { body: started } = await run('startHandoff', { conversationId });
    await as(team.ada).assign(started.output.handoffId);

    const refused = await run('endHandoff', { conversationId });
    const ended = await run('endHandoff', { conversationId, servedBy: team.ada.accountId });

    expect([refused.status, ended.status]).toEqual([409, 200]);
  });

  it('does nothing without a handoff', async () => {
    const { conversationId } = await newTalk(team.bot);

    expect(await run('endHandoff', { conversationId })).toMatchObject({ status: 200, body: { output: {} } });
    const { body } = await callChat(team.bot.client, 'GET', `/handoffs?conversationId=${conversationId}`);
    expect(body.handoffs).toEqual([]);
  });

  it('leaves handoffs of other conversations open', async () => {
    const [first, second] = [await newTalk(team.bot), await newTalk(team.bot)];
    const { body: started } = await handoffsOf(team.bot).start(second.conversationId);
    await run('startHandoff', { conversationId: first.conversationId });

    await run('endHandoff', { conversationId: first.conversationId });

    const { body } = await as(team.ada).get(started.handoff.id);
    expect(body.handoff.status).toBe('waiting');
  });
});
