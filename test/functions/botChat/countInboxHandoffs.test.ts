import { beforeAll, describe, expect, it } from 'vitest';
import { handoffsOf, newTalk, newWaiting } from '#test/support/handoffs.ts';
import {
  apiBaseUrl,
  call,
  eventually,
  newBot,
  settled,
  type TestBot,
  useSharedPlatform,
} from '#test/support/platform.ts';

useSharedPlatform();

let bots: [TestBot, TestBot];
let agent: Awaited<ReturnType<TestBot['workspace']['join']>>;

beforeAll(async () => {
  const first = await newBot();
  bots = [first, await newBot(first.workspace)];
  agent = await first.workspace.join('agent');
});

const count = async (query = '') =>
  (
    await call(`${apiBaseUrl()}/v1/chat/inbox/handoff-counts${query}`, {
      headers: { authorization: `Bearer ${agent.token}`, 'x-workspace-id': bots[0].workspace.id },
    })
  ).body;
const counts = async (query?: string) => (await count(query)).counts;

const startedHandoff = async () => (await handoffsOf(bots[0]).start((await newTalk(bots[0])).conversationId)).body;

describe('GET /v1/chat/inbox/handoff-counts', () => {
  it('adds the counts of the bots of the workspace', async () => {
    const [one, two] = bots;
    await newWaiting(one);
    await newWaiting(two);
    await handoffsOf(two, two.workspace.owner.token).assign((await newWaiting(two)).id);
    const talk = await newTalk(one);
    await handoffsOf(one, agent.token).start(talk.conversationId, { accountId: agent.accountId });
    await talk.say('Hello?');
    await settled();

    await eventually(async () =>
      expect(await counts()).toEqual({ waiting: 2, served: 2, mine: 1, unread: 1, snoozed: 0, mentions: 0 }),
    );
    expect(await counts(`?botIds=${two.id}`)).toEqual({
      waiting: 1,
      served: 1,
      mine: 0,
      unread: 0,
      snoozed: 0,
      mentions: 0,
    });
  });

  it('returns a time after the changes that it counts, and before later ones', async () => {
    const { handoff: earlier } = await startedHandoff();

    const { countedAt } = await count();

    const { handoff: later } = await startedHandoff();
    expect(earlier.updatedAt <= countedAt).toBe(true);
    expect(later.updatedAt >= countedAt).toBe(true);
  });
});
