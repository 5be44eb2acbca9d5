import { describe, expect, it } from 'vitest';
import { inboxOf, newInbox, untilAssigned, useConnections } from '#test/support/agents.ts';
import { handoffsOf, newWaiting } from '#test/support/handoffs.ts';
import { eventually, newBot, settled, useSharedPlatform } from '#test/support/platform.ts';

useSharedPlatform();
const connect = useConnections();

describe('GET /v1/chat/inbox/agents', () => {
  it('returns the members who may be assigned, with availability, connection and open conversations', async () => {
    const { bot, agents } = await newInbox({ assignment: 'manual' });
    const [ada, bob] = agents;
    const viewer = await bot.workspace.join('viewer');
    await inboxOf(bot.workspace, ada!.token).setAvailability('away');
    await connect(bot.workspace, ada!);
    await handoffsOf(bot, ada!.token).assign((await newWaiting(bot)).id);
    await settled();

    const { body } = await inboxOf(bot.workspace, viewer.token).agents();

    const byId = new Map(body.agents.map((each: { id: string }) => [each.id, each]));
    expect([...byId.keys()].sort()).toEqual([ada, bob, bot.workspace.owner].map(each => each!.accountId).sort());
    expect(byId.get(ada!.accountId)).toMatchObject({
      role: 'agent',
      availability: 'away',
      availabilityChangedAt: expect.any(String),
      isConnected: true,
      openCount: 1,
    });
    expect(byId.get(bob!.accountId)).toMatchObject({ availability: 'online', isConnected: false, openCount: 0 });
    expect(byId.get(bot.workspace.owner.accountId)).toMatchObject({ role: 'owner', availability: 'away' });
  });

  it('returns all in pages, or one account', async () => {
    const { bot, agents } = await newInbox({ assignment: 'manual' });
    const inbox = inboxOf(bot.workspace);

    const first = (await inbox.agents('?pageSize=2')).body;
    const second = (await inbox.agents(`?pageSize=2&nextToken=${encodeURIComponent(first.meta.nextToken)}`)).body;
    const one = (await inbox.agents(`?accountId=${agents[0]!.accountId}`)).body;

    expect([...first.agents, ...second.agents]).toHaveLength(3);
    expect(second.meta).toEqual({});
    expect(one.agents.map(({ id }: { id: string }) => id)).toEqual([agents[0]!.accountId]);
  });

  it('returns nothing about accounts of other workspaces', async () => {
    const { bot } = await newInbox({ assignment: 'manual' }, 0);
    const stranger = (await newBot()).workspace.owner;

    const { body } = await inboxOf(bot.workspace).agents(`?accountId=${stranger.accountId}`);

    expect(body.agents).toEqual([]);
  });

  it('announces changes to connections to the workspace, which stay open', async () => {
    const { bot, agents } = await newInbox({ assignment: 'automatic', maxOpenPerAgent: 5 }, 1);
    const watcher = await connect(bot.workspace, bot.workspace.owner);
    await connect(bot.workspace, agents[0]!);

    await untilAssigned(bot, (await newWaiting(bot)).id);
    await inboxOf(bot.workspace, agents[0]!.token).setAvailability('away');

    await eventually(async () => {
      const notices = watcher.frames.filter(({ data }) => data.workspaceId === bot.workspace.id);
      expect(notices.map(({ type, data }) => [type, data])).toContainEqual([
        'changed',
        { workspaceId: bot.workspace.id, topics: ['agents'] },
      ]);
    });
    expect(watcher.socket.readyState).toBe(watcher.socket.OPEN);
  });
});
