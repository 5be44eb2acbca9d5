/** Tests automatic assignment over HTTP, the stream and the queue. */
import { describe, expect, it } from 'vitest';
import { assignWaiting } from '#shared/domain/botChat/agents/assignWaiting.ts';
import { assigneeOf, inboxOf, newInbox, newQueue, untilAssigned, useConnections } from '#test/support/agents.ts';
import { handoffsOf, newWaiting } from '#test/support/handoffs.ts';
import { eventually, newBot, settled, useSharedPlatform } from '#test/support/platform.ts';

useSharedPlatform();
const connect = useConnections();

const AUTOMATIC = { assignment: 'automatic', maxOpenPerAgent: 100 } as const;

describe('automatic assignment', () => {
  it('assigns new conversations to connected agents, round-robin', async () => {
    const { bot, agents } = await newInbox(AUTOMATIC);
    for (const agent of agents) await connect(bot.workspace, agent);

    const assignees: string[] = [];
    for (const id of await newQueue(bot, 4)) assignees.push(await untilAssigned(bot, id));

    expect(assignees.toSorted()).toEqual(agents.flatMap(({ accountId }) => [accountId, accountId]).sort());
  });

  it('names the system as the actor, in the handoff and in the audit record', async () => {
    const { bot, agents } = await newInbox(AUTOMATIC, 1);
    await connect(bot.workspace, agents[0]!);

    const { id } = await newWaiting(bot);
    await untilAssigned(bot, id);

    const { handoff } = (await handoffsOf(bot).get(id)).body;
    expect(handoff.assignedBy).toEqual({ type: 'system', id: 'system', name: 'Automatic assignment' });
    const { records } = await bot.workspace.owner.client.getAuditRecords({ id: bot.workspace.id });
    const record = records.find(({ value }) => value?.startsWith(`ASSIGN_HANDOFF ${id}`));
    expect(record).toMatchObject({ userId: null, userEmail: null });
  });

  it('leaves conversations in the queue without a connected agent, and assigns the oldest to one who connects', async () => {
    const { bot, agents } = await newInbox({ assignment: 'automatic', maxOpenPerAgent: 1 }, 1);
    const [first, second] = await newQueue(bot, 2);
    await settled();
    expect(await assigneeOf(bot, first!)).toBeUndefined();

    await connect(bot.workspace, agents[0]!);

    expect(await untilAssigned(bot, first!)).toBe(agents[0]!.accountId);
    await settled();
    expect(await assigneeOf(bot, second!)).toBeUndefined();
  });

  it('assigns a conversation of higher priority before older ones', async () => {
    const { bot, agents } = await newInbox({ assignment: 'automatic', maxOpenPerAgent: 1 }, 1);
    const [first, second] = await newQueue(bot, 2);
    await bot.call('PUT', `/handoffs/${second}/priority`, { token: bot.tokens.bot, body: { priority: 'urgent' } });
    await settled();

    await connect(bot.workspace, agents[0]!);

    expect(await untilAssigned(bot, second!)).toBe(agents[0]!.accountId);
    await settled();
    expect(await assigneeOf(bot, first!)).toBeUndefined();
  });

  it('stops at the limit, and continues when a conversation ends', async () => {
    const { bot, agents } = await newInbox({ assignment: 'automatic', maxOpenPerAgent: 2 }, 1);
    await connect(bot.workspace, agents[0]!);
    const [first, second, third] = await newQueue(bot, 3);
    await untilAssigned(bot, second!);
    await settled();
    expect(await assigneeOf(bot, third!)).toBeUndefined();

    await handoffsOf(bot).end(first!, { servedBy: agents[0]!.accountId });

    expect(await untilAssigned(bot, third!)).toBe(agents[0]!.accountId);
  });

  it('assigns nothing with manual assignment, and everything waiting after a change to automatic', async () => {
    const { bot, agents } = await newInbox({ assignment: 'manual' }, 1);
    await connect(bot.workspace, agents[0]!);
    const { id } = await newWaiting(bot);
    await settled();
    expect(await assigneeOf(bot, id)).toBeUndefined();

    await inboxOf(bot.workspace).setSettings({ assignment: 'automatic' });

    expect(await untilAssigned(bot, id)).toBe(agents[0]!.accountId);
  });

  it('assigns nothing to an agent who is away, until they are online', async () => {
    const { bot, agents } = await newInbox(AUTOMATIC, 1);
    const [agent] = agents;
    await inboxOf(bot.workspace, agent!.token).setAvailability('away');
    await connect(bot.workspace, agent!);
    const { id } = await newWaiting(bot);
    await settled();
    expect(await assigneeOf(bot, id)).toBeUndefined();

    await inboxOf(bot.workspace, agent!.token).setAvailability('online');

    expect(await untilAssigned(bot, id)).toBe(agent!.accountId);
  });

  it('assigns to members with another role only after they are online', async () => {
    const { bot } = await newInbox(AUTOMATIC, 0);
    const { owner } = bot.workspace;
    await connect(bot.workspace, owner);
    const { id } = await newWaiting(bot);
    await settled();
    expect(await assigneeOf(bot, id)).toBeUndefined();

    await inboxOf(bot.workspace).setAvailability('online');

    expect(await untilAssigned(bot, id)).toBe(owner.accountId);
  });

  it('assigns conversations of a bot only to its agents, and does not let them block those of other bots', async () => {
    const { bot, agents } = await newInbox({ assignment: 'automatic', maxOpenPerAgent: 1 });
    const other = await newBot(bot.workspace);
    const [ofBot, ofOther] = agents;
    for (const [agent, botId] of [
      [ofBot!, bot.id],
      [ofOther!, other.id],
    ] as const) {
      await bot.workspace.call('PUT', `/workspace-members/${agent.memberId}`, { body: { botIds: [botId] } });
    }
    // Changed bots close connections.
    await settled();
    for (const agent of agents) await connect(bot.workspace, agent);

    const [first, second, third] = await newQueue(bot, 3);
    const { id: ofOtherBot } = await newWaiting(other);

    expect(await untilAssigned(bot, first!)).toBe(ofBot!.accountId);
    expect(await untilAssigned(other, ofOtherBot)).toBe(ofOther!.accountId);
    await settled();
    expect(await Promise.all([second!, third!].map(id => assigneeOf(bot, id)))).toEqual([undefined, undefined]);
  });

  it('assigns each conversation once, within the limit, in concurrent runs', async () => {
    const { bot, agents } = await newInbox({ assignment: 'manual', maxOpenPerAgent: 3 });
    for (const agent of agents) await connect(bot.workspace, agent);
    const queue = await newQueue(bot, 8);
    await settled();
    await inboxOf(bot.workspace).setSettings({ assignment: 'automatic' });

    await Promise.all(Array.from({ length: 4 }, () => assignWaiting(bot.workspace.id)));
    await settled();

    const assignees = await Promise.all(queue.map(id => assigneeOf(bot, id)));
    const countOf = (accountId: string | undefined) => assignees.filter(each => each === accountId).length;
    expect(agents.map(({ accountId }) => countOf(accountId))).toEqual([3, 3]);
    expect(countOf(undefined)).toBe(2);
    const { records } = await bot.workspace.owner.client.getAuditRecords({ id: bot.workspace.id });
    const assigned = records.filter(({ value }) => value?.startsWith('ASSIGN_HANDOFF'));
    expect(new Set(assigned.map(({ value }) => value!.split(' ')[1])).size).toBe(assigned.length);
  });

  it('leaves a conversation to the member who takes it at the same moment', async () => {
    const { bot, agents } = await newInbox({ assignment: 'manual', maxOpenPerAgent: 100 });
    const [connected, human] = agents;
    await connect(bot.workspace, connected!);
    const queue = await newQueue(bot, 6);
    await settled();
    await inboxOf(bot.workspace).setSettings({ assignment: 'automatic' });

    const [, ...taken] = await Promise.all([
      assignWaiting(bot.workspace.id),
      ...queue.map(id => handoffsOf(bot, human!.token).assign(id)),
    ]);
    await settled();

    const expected = taken.map(({ status }) => (status === 200 ? human!.accountId : connected!.accountId));
    expect(taken.every(({ status }) => status === 200 || status === 409)).toBe(true);
    expect(await Promise.all(queue.map(id => assigneeOf(bot, id)))).toEqual(expected);
    const { agents: shown } = (await inboxOf(bot.workspace).agents()).body;
    const openOf = (accountId: string) => shown.find((each: { id: string }) => each.id === accountId).openCount;
    expect(openOf(human!.accountId) + openOf(connected!.accountId)).toBe(queue.length);
  });

  it('assigns more conversations than one run', async () => {
    const { bot, agents } = await newInbox({ assignment: 'manual', maxOpenPerAgent: 100 }, 1);
    await connect(bot.workspace, agents[0]!);
    const queue = await newQueue(bot, 30);
    await settled();

    await inboxOf(bot.workspace).setSettings({ assignment: 'automatic' });

    await eventually(async () => {
      const assignees = await Promise.all(queue.map(id => assigneeOf(bot, id)));
      expect(assignees).toEqual(queue.map(() => agents[0]!.accountId));
    });
  });
});
