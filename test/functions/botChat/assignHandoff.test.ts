import { describe, expect, it } from 'vitest';
import { findPresence } from '#shared/storage/dynamodb/chat/presence.ts';
import { handoffsOf, newTalk, newWaiting, useTeam } from '#test/support/handoffs.ts';
import { isLeftOut, newBot, useSharedPlatform } from '#test/support/platform.ts';

useSharedPlatform();

const { team, as } = useTeam();

describe('POST /v1/chat/handoffs/{id}/assign', () => {
  it('assigns a queued conversation', async () => {
    const { id } = await newWaiting(team.bot);

    const { status, body } = await as(team.ada).assign(id);

    expect(status).toBe(200);
    expect(body.handoff).toMatchObject({
      status: 'served',
      member: { id: team.ada.accountId, name: expect.stringContaining('@example.com') },
    });
    const { records } = await team.bot.workspace.owner.client.getAuditRecords({ id: team.bot.workspace.id });
    expect(records).toContainEqual(
      expect.objectContaining({ value: `ASSIGN_HANDOFF ${id} ${team.ada.accountId}`, userId: team.ada.accountId }),
    );
  });

  it('changes nothing when repeated', async () => {
    const { id } = await newWaiting(team.bot);
    const first = await as(team.ada).assign(id);

    const again = await as(team.ada).assign(id);

    expect(again).toMatchObject({ status: 200, body: first.body });
  });

  it('lets one of several concurrent members take over, and returns that member to the others', async () => {
    const { id } = await newWaiting(team.bot);
    const members = [team.ada, team.bob, team.bot.workspace.owner];

    const answers = await Promise.all(members.map(each => as(each).assign(id)));

    const winner = answers.find(({ status }) => status === 200)!.body.handoff.member;
    const losers = answers.filter(({ status }) => status !== 200);
    expect(losers).toHaveLength(2);
    for (const loser of losers) {
      expect(loser).toMatchObject({
        status: 409,
        body: {
          type: 'RelationConflict',
          message: expect.stringContaining(`${winner.name} is assigned to this conversation.`),
          metadata: { handoffId: id, member: winner },
        },
      });
    }
    expect((await as(team.ada).get(id)).body.handoff.member).toEqual(winner);
  });

  it('replaces the assignee that the caller names', async () => {
    const { id } = await newWaiting(team.bot);
    await as(team.ada).assign(id);

    const { body } = await as(team.bob).assign(id, { servedBy: team.ada.accountId });

    expect(body.handoff.member.id).toBe(team.bob.accountId);
  });

  it('returns 409 when the assignee is not the member that the caller names', async () => {
    const { id } = await newWaiting(team.bot);
    await as(team.ada).assign(id);

    const answer = await as(team.bob).assign(id, { servedBy: team.bot.workspace.owner.accountId });

    expect(answer).toMatchObject({ status: 409, body: { metadata: { member: { id: team.ada.accountId } } } });
  });

  it('lets a member reassign the conversation, or return it to the queue', async () => {
    const { id } = await newWaiting(team.bot);
    await as(team.ada).assign(id);

    const passed = await as(team.ada).assign(id, { accountId: team.bob.accountId });
    const released = await as(team.bob).assign(id, { accountId: null });

    expect(passed.body.handoff.member.id).toBe(team.bob.accountId);
    expect(released.body.handoff).toMatchObject({ status: 'waiting' });
    expect(released.body.handoff).not.toHaveProperty('member');
  });

  it('names the author of the last change', async () => {
    const { id } = await newWaiting(team.bot);

    const assigned = await as(team.ada).assign(id, { accountId: team.bob.accountId });
    const released = await as(team.bob).assign(id, { accountId: null });
    const ended = await as(team.ada).end(id);

    const by = ({ accountId }: { accountId: string }) => ({ updatedBy: { type: 'member', id: accountId } });
    expect(assigned.body.handoff).toMatchObject(by(team.ada));
    expect(released.body.handoff).toMatchObject(by(team.bob));
    expect(ended.body.handoff).toMatchObject(by(team.ada));
  });

  it('returns who assigned the conversation, until it returns to the queue', async () => {
    const { id } = await newWaiting(team.bot);

    const byBob = await as(team.bob).assign(id, { accountId: team.ada.accountId });
    const released = await as(team.ada).assign(id, { accountId: null, servedBy: team.ada.accountId });

    expect(byBob.body.handoff).toMatchObject({
      member: { id: team.ada.accountId },
      assignedBy: { type: 'member', id: team.bob.accountId },
    });
    expect(released.body.handoff).not.toHaveProperty('assignedBy');
  });

  it('lets the bot choose the member', async () => {
    const { id } = await newWaiting(team.bot);

    const unnamed = await handoffsOf(team.bot).assign(id);
    const { body } = await handoffsOf(team.bot).assign(id, { accountId: team.ada.accountId });

    expect(unnamed).toMatchObject({ status: 400, body: { type: 'InvalidPayload' } });
    expect(body.handoff.member.id).toBe(team.ada.accountId);
  });

  it('applies either a concurrent end or a concurrent take-over', async () => {
    const { id } = await newWaiting(team.bot);

    const [taken, ended] = await Promise.all([as(team.ada).assign(id), handoffsOf(team.bot).end(id)]);

    const { body } = await as(team.ada).get(id);
    if (taken.status === 200) {
      expect(body.handoff).toMatchObject({ status: 'served', member: { id: team.ada.accountId } });
      expect(ended).toMatchObject({ status: 409, body: { metadata: { member: { id: team.ada.accountId } } } });
    } else {
      expect(body.handoff).toMatchObject({ status: 'closed', endedBy: { type: 'bot', id: team.bot.id } });
      expect(taken).toMatchObject({
        status: 409,
        body: { type: 'RelationConflict', message: expect.stringMatching(/^The bot Bot ended this handoff at /) },
      });
    }
    expect([taken.status, ended.status].sort()).toEqual([200, 409]);
  });

  it('returns 400 for a member who cannot be assigned, and 404 for an unknown handoff', async () => {
    const { id } = await newWaiting(team.bot);
    const viewer = await team.bot.workspace.join('viewer');
    const other = await newBot(team.bot.workspace);

    const answers = [
      await as(team.ada).assign(id, { accountId: viewer.accountId }),
      await as(team.ada).assign('no-such'),
      await handoffsOf(other, team.ada.token).assign(id),
    ];

    expect(answers.map(({ body }) => body.type)).toEqual(['ReferenceNotFound', 'ResourceNotFound', 'ResourceNotFound']);
  });

  it('returns 403 for a caller who was demoted since their record was read', async () => {
    const { id } = await newWaiting(team.bot);
    const demoted = await team.bot.workspace.join('agent');
    await as(demoted).get(id);
    const { client } = team.bot.workspace.owner;
    await client.updateWorkspaceMember({ id: demoted.memberId, role: 'viewer' });

    expect(await as(demoted).assign(id)).toMatchObject({ status: 403, body: { type: 'Forbidden' } });
  });

  it('shows end users the assignee and the end of the handoff', async () => {
    const { client, conversationId } = await newTalk(team.bot);
    const { token, accountId } = team.bot.workspace.owner;
    const shown = async () =>
      (await client.getConversation({ id: conversationId })).conversation as { handoff?: unknown };
    const signalled = () => findPresence(team.bot.id, conversationId);

    const { body } = await handoffsOf(team.bot).start(conversationId);
    const waiting = [await shown(), await signalled()];
    const { body: assigned } = await handoffsOf(team.bot, token).assign(body.handoff.id);
    const served = [await shown(), await signalled()];
    await handoffsOf(team.bot, token).end(body.handoff.id);
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
    const { key, conversationId } = await newTalk(team.bot);
    const { body } = await handoffsOf(team.bot).start(conversationId);
    const stop = new AbortController();
    const url = `${team.bot.chatUrl}/conversations/${conversationId}/listen`;
    const response = await fetch(url, { headers: { 'x-user-key': key }, signal: stop.signal });
    const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
    let text = (await reader.read()).value ?? '';

    const { body: assigned } = await as(team.ada).assign(body.handoff.id);
    while (!text.includes('"served"')) text += (await reader.read()).value ?? '';
    stop.abort();

    const data = { conversationId, status: 'served', userId: assigned.handoff.member.userId };
    expect(text).toContain(JSON.stringify({ type: 'handoff', data }));
  });
});
