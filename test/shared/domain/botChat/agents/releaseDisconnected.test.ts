/** Tests the release of conversations of disconnected agents, over HTTP, the stream and the queue. */
import { describe, expect, it } from 'vitest';
import { clock } from '#shared/core/clock.ts';
import { planRelease, releaseDisconnected } from '#shared/domain/botChat/agents/releaseDisconnected.ts';
import { findAgentRecord, recordConnected, recordDisconnected } from '#shared/storage/dynamodb/agents/agents.ts';
import { MAX_CONNECTION_MS } from '#shared/storage/dynamodb/connections/connections.ts';
import { assigneeOf, inboxOf, newInbox, untilAssigned, useConnections } from '#test/support/agents.ts';
import { handoffsOf, type Member, newWaiting } from '#test/support/handoffs.ts';
import { eventually, settled, type TestBot, useSharedPlatform } from '#test/support/platform.ts';

useSharedPlatform();
const connect = useConnections();

const RELEASING = { assignment: 'automatic', maxOpenPerAgent: 100, releaseAfterMinutes: 5 } as const;
const MINUTE_MS = 60_000;

const recordOf = (bot: TestBot, { accountId }: Member) => findAgentRecord(bot.workspace.id, accountId);

const untilDisconnected = (bot: TestBot, agent: Member): Promise<number> =>
  eventually(async () => {
    const at = (await recordOf(bot, agent))?.disconnectedAtMs;
    if (at === undefined) throw new Error('The agent is connected.');
    return at;
  });

/** Sets up an agent with one assigned conversation and an open connection. */
async function newAssigned() {
  const { bot, agents } = await newInbox(RELEASING, 1);
  const agent = agents[0]!;
  const connection = await connect(bot.workspace, agent);
  const { id } = await newWaiting(bot);
  await untilAssigned(bot, id);
  return { bot, agent, connection, id };
}

const releaseNow = (bot: TestBot, { accountId }: Member, disconnectedAtMs: number) =>
  releaseDisconnected({ workspaceId: bot.workspace.id, accountId, disconnectedAtMs });

describe('the release of conversations', () => {
  it('returns them to the queue after the configured time', async () => {
    const { bot, agent, connection, id } = await newAssigned();
    connection.close();
    const disconnectedAtMs = await untilDisconnected(bot, agent);
    await settled();
    expect(await assigneeOf(bot, id)).toBe(agent.accountId);

    clock.advance(5 * MINUTE_MS);

    await eventually(async () => expect(await assigneeOf(bot, id)).toBeUndefined());
    const { handoff } = (await handoffsOf(bot).get(id)).body;
    expect(handoff).toMatchObject({ status: 'waiting', updatedBy: { type: 'system' } });
    expect(await recordOf(bot, agent)).toMatchObject({ open: [], disconnectedAtMs });
  });

  it('does not happen after a reload, whose new connection opens before or after the old one closes', async () => {
    const { bot, agent, connection, id } = await newAssigned();

    const next = await connect(bot.workspace, agent);
    connection.close();
    await settled();
    expect((await recordOf(bot, agent))?.disconnectedAtMs).toBeUndefined();
    next.close();
    const disconnectedAtMs = await untilDisconnected(bot, agent);
    await connect(bot.workspace, agent);
    await eventually(async () => expect((await recordOf(bot, agent))?.disconnectedAtMs).toBeUndefined());
    clock.advance(16 * MINUTE_MS);
    await settled();

    expect(await releaseNow(bot, agent, disconnectedAtMs)).toBe(0);
    expect(await assigneeOf(bot, id)).toBe(agent.accountId);
  });

  it('does not happen while a connection exists, although the record has the agent as disconnected', async () => {
    const { bot, agent, id } = await newAssigned();
    const disconnectedAtMs = await recordDisconnected(bot.workspace.id, agent.accountId, clock.now());
    clock.advance(6 * MINUTE_MS);

    expect(await releaseNow(bot, agent, disconnectedAtMs!)).toBe(0);
    expect(await assigneeOf(bot, id)).toBe(agent.accountId);
  });

  it('waits longer if the setting was increased meanwhile, and does not happen after it was disabled', async () => {
    const { bot, agent, connection, id } = await newAssigned();
    connection.close();
    const disconnectedAtMs = await untilDisconnected(bot, agent);
    await inboxOf(bot.workspace).setSettings({ releaseAfterMinutes: 15 });
    clock.advance(6 * MINUTE_MS);
    expect(await releaseNow(bot, agent, disconnectedAtMs)).toBe(0);

    await inboxOf(bot.workspace).setSettings({ releaseAfterMinutes: null });
    clock.advance(10 * MINUTE_MS);
    await settled();

    expect(await releaseNow(bot, agent, disconnectedAtMs)).toBe(0);
    expect(await assigneeOf(bot, id)).toBe(agent.accountId);
  });

  it('is planned for agents who were disconnected before the setting', async () => {
    const { bot, agent, connection, id } = await newAssigned();
    await inboxOf(bot.workspace).setSettings({ releaseAfterMinutes: null });
    connection.close();
    await untilDisconnected(bot, agent);
    clock.advance(6 * MINUTE_MS);

    await inboxOf(bot.workspace).setSettings({ releaseAfterMinutes: 5 });

    await eventually(async () => expect(await assigneeOf(bot, id)).toBeUndefined());
  });

  it('does not happen to an agent who is away', async () => {
    const { bot, agent, id } = await newAssigned();

    await inboxOf(bot.workspace, agent.token).setAvailability('away');
    clock.advance(20 * MINUTE_MS);
    await settled();

    expect(await assigneeOf(bot, id)).toBe(agent.accountId);
  });

  it('ignores a connection that is older than API Gateway permits, whose end was never reported', async () => {
    const { bot, agent } = await newAssigned();
    const { id: workspaceId } = bot.workspace;

    clock.advance(MAX_CONNECTION_MS);
    await planRelease(workspaceId, agent.accountId);

    expect((await recordOf(bot, agent))?.disconnectedAtMs).toBeDefined();
  });

  it('repeats without effect', async () => {
    const { bot, agent, connection } = await newAssigned();
    connection.close();
    const first = await untilDisconnected(bot, agent);
    clock.advance(MINUTE_MS);

    await planRelease(bot.workspace.id, agent.accountId);
    // A redelivered change of the closed connection.
    await recordConnected(bot.workspace.id, agent.accountId, 1);

    expect((await recordOf(bot, agent))?.disconnectedAtMs).toBe(first);
  });
});
