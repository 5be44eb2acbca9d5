/** Tests the recorded open conversations of agents, which the limit of automatic assignment counts. */
import { describe, expect, it } from 'vitest';
import { clock } from '#shared/core/clock.ts';
import { recountOpen } from '#shared/domain/botChat/agents/recountOpen.ts';
import { trackAssigned, trackEnded } from '#shared/domain/botChat/agents/trackOpen.ts';
import { trackOpenHandoffs } from '#shared/events/reactions/trackOpenHandoffs.ts';
import { findAgentRecord, forgetOpen, openEntry } from '#shared/storage/dynamodb/agents/agents.ts';
import type { StreamChange } from '#shared/storage/dynamodb/engine/streamChange.ts';
import { newInbox } from '#test/support/agents.ts';
import { onCalls } from '#test/support/awsCalls.ts';
import { handoffsOf, newTalk, newWaiting } from '#test/support/handoffs.ts';
import { eventually, settled, type TestBot, useSharedPlatform } from '#test/support/platform.ts';

useSharedPlatform();

const openOf = async ({ workspace }: TestBot, accountId: string) =>
  (await findAgentRecord(workspace.id, accountId))?.open ?? [];

async function newAssigned() {
  const { bot, agents } = await newInbox({ assignment: 'manual' });
  const [ada, bob] = agents.map(({ accountId }) => accountId) as [string, string];
  const { id, conversationId } = await newWaiting(bot);
  await handoffsOf(bot).assign(id, { accountId: ada });
  await settled();
  return { bot, ada, bob, id, conversationId, entry: openEntry(bot.id, id) };
}

describe('the open conversations of an agent', () => {
  it('follow the assignee', async () => {
    const { bot, ada, bob, id, entry } = await newAssigned();
    expect([await openOf(bot, ada), await openOf(bot, bob)]).toEqual([[entry], []]);

    await handoffsOf(bot).assign(id, { accountId: bob, servedBy: ada });
    await settled();

    expect([await openOf(bot, ada), await openOf(bot, bob)]).toEqual([[], [entry]]);
  });

  it('exclude a conversation that ended or was returned to the queue', async () => {
    const { bot, ada, id } = await newAssigned();
    const { id: other } = await newWaiting(bot);
    await handoffsOf(bot).assign(other, { accountId: ada });

    await handoffsOf(bot).end(id, { servedBy: ada });
    await handoffsOf(bot).assign(other, { accountId: null, servedBy: ada });
    await settled();

    expect(await openOf(bot, ada)).toEqual([]);
  });

  it('exclude a deleted conversation', async () => {
    const { bot, ada, conversationId } = await newAssigned();

    await bot.client.deleteConversation({ id: conversationId });

    await eventually(async () => expect(await openOf(bot, ada)).toEqual([]));
  });

  it('exclude those of a deleted bot', async () => {
    const { bot, ada } = await newAssigned();

    await bot.workspace.owner.client.deleteBot({ id: bot.id });
    await settled();
    clock.advance(60_000);

    await eventually(async () => expect(await openOf(bot, ada)).toEqual([]));
  });

  it('are unchanged by late and repeated changes', async () => {
    const { bot, ada, bob, id, entry } = await newAssigned();
    const of = { workspaceId: bot.workspace.id, botId: bot.id, handoffId: id };

    await trackAssigned({ ...of, accountId: ada });
    await trackEnded({ ...of, accountId: ada });
    await trackAssigned({ ...of, accountId: bob });

    expect([await openOf(bot, ada), await openOf(bot, bob)]).toEqual([[entry], []]);
  });

  it('cost nothing when a message changes the handoff', async () => {
    const { bot, agents } = await newInbox({ assignment: 'manual' }, 1);
    const talk = await newTalk(bot);
    await handoffsOf(bot).start(talk.conversationId, { accountId: agents[0]!.accountId });
    await settled();
    const image = { ...HANDOFF, member: { id: agents[0]!.accountId, name: 'Ada', userId: 'user' } };

    let calls = 0;
    for (const command of ['GetItem', 'Get', 'Query', 'Update', 'TransactWrite']) {
      onCalls({ command, part: bot.id }, next => {
        calls += 1;
        return next();
      });
    }

    const change = { event: 'MODIFY', botId: bot.id, before: image, after: { ...image, readTo: 'x' } };
    await trackOpenHandoffs(change as unknown as StreamChange);

    expect(calls).toBe(0);
  });

  it('are counted again when assignment becomes automatic', async () => {
    const { bot, ada, entry } = await newAssigned();
    await forgetOpen(bot.workspace.id, ada, [entry]);

    await recountOpen(bot.workspace.id);

    expect(await openOf(bot, ada)).toEqual([entry]);
  });
});

const HANDOFF = {
  ...{ id: 'handoff_x', conversationId: 'convo_x', webhookId: '', status: 'served' },
  startedBy: { type: 'bot', id: 'x', name: 'Bot' },
  ...{ change: 'x', version: 1 },
};
