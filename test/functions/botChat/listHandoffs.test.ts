import { beforeAll, describe, expect, it } from 'vitest';
import { handoffsOf, newWaiting } from '#test/support/handoffs.ts';
import { eventually, newBot, type TestBot, useSharedPlatform } from '#test/support/platform.ts';

useSharedPlatform();

let bot: TestBot;
let agent: Awaited<ReturnType<TestBot['workspace']['join']>>;
/** Ordered by last change; the last one is closed. */
let ids: { waiting: string; other: string; mine: string; closed: string };

beforeAll(async () => {
  bot = await newBot();
  agent = await bot.workspace.join('agent');
  const owner = bot.workspace.owner;
  const [mine, waiting, other, closed] = [
    await newWaiting(bot),
    await newWaiting(bot),
    await newWaiting(bot),
    await newWaiting(bot),
  ];
  await handoffsOf(bot, owner.token).assign(other.id);
  await handoffsOf(bot, agent.token).assign(mine.id);
  await handoffsOf(bot, agent.token).assign(closed.id);
  await handoffsOf(bot, agent.token).end(closed.id);
  ids = { waiting: waiting.id, other: other.id, mine: mine.id, closed: closed.id };
});

const list = async (query: string) => (await handoffsOf(bot, agent.token).list(query)).body;
const idsOf = (body: { handoffs: { id: string }[] }) => body.handoffs.map(({ id }) => id);

describe('GET /v1/chat/handoffs', () => {
  it('lists all handoffs by their last change, newest first', async () => {
    await eventually(async () => expect(idsOf(await list(''))).toEqual([ids.closed, ids.mine, ids.other, ids.waiting]));
  });

  it('lists the handoffs in a status', async () => {
    await eventually(async () => {
      expect(idsOf(await list('?status=waiting'))).toEqual([ids.waiting]);
      expect(idsOf(await list('?status=served'))).toEqual([ids.mine, ids.other]);
      expect(idsOf(await list('?status=closed'))).toEqual([ids.closed]);
    });
  });

  it('lists the handoffs of a current or former assignee', async () => {
    await eventually(async () => {
      expect(idsOf(await list(`?accountId=${agent.accountId}`))).toEqual([ids.mine]);
      expect(idsOf(await list(`?accountId=${agent.accountId}&status=closed`))).toEqual([ids.closed]);
      expect(idsOf(await list(`?accountId=${agent.accountId}&status=waiting`))).toEqual([]);
    });
  });

  it('lists the handoffs of a conversation, newest first', async () => {
    const first = await newWaiting(bot);
    await handoffsOf(bot).end(first.id);
    const { body } = await handoffsOf(bot).start(first.conversationId);

    const found = await list(`?conversationId=${first.conversationId}`);
    const none = await list('?conversationId=no-such');

    expect(idsOf(found)).toEqual([body.handoff.id, first.id]);
    expect(none).toMatchObject({ handoffs: [], meta: { isUnchanged: false } });
  });

  it('continues where the previous page ended', async () => {
    const own = await newBot(bot.workspace);
    const made: string[] = [];
    for (let i = 0; i < 5; i++) made.push((await newWaiting(own)).id);
    const page = async (query: string) => (await handoffsOf(own).list(`?status=waiting&pageSize=2${query}`)).body;

    const first = await page('');
    const second = await page(`&nextToken=${first.meta.nextToken}`);
    const third = await page(`&nextToken=${second.meta.nextToken}`);

    expect([first, second, third].map(idsOf)).toEqual([[made[4], made[3]], [made[2], made[1]], [made[0]]]);
    expect(third.meta).not.toHaveProperty('nextToken');
  });

  it('returns an empty page if nothing changed, and the whole page otherwise', async () => {
    const own = await newBot(bot.workspace);
    const { id } = await newWaiting(own);
    const page = async (query: string) => (await handoffsOf(own).list(`?status=waiting${query}`)).body;
    const { meta } = await page('');

    const unchanged = await page(`&version=${meta.version}`);
    await newWaiting(own);
    const added = await page(`&version=${meta.version}`);
    await handoffsOf(own).end(id);
    const removed = await page(`&version=${added.meta.version}`);

    expect(unchanged).toMatchObject({ handoffs: [], meta: { version: meta.version, isUnchanged: true } });
    expect(added).toMatchObject({ meta: { isUnchanged: false } });
    expect([added, removed].map(({ handoffs }) => handoffs.length)).toEqual([2, 1]);
  });

  it('returns a new page version after the deletion of a conversation', async () => {
    const own = await newBot(bot.workspace);
    const { conversationId } = await newWaiting(own);
    const page = async (query: string) => (await handoffsOf(own).list(`?status=waiting${query}`)).body;
    const { meta } = await page('');

    await own.client.deleteConversation({ id: conversationId });

    await eventually(async () =>
      expect(await page(`&version=${meta.version}`)).toMatchObject({ handoffs: [], meta: { isUnchanged: false } }),
    );
  });
});
