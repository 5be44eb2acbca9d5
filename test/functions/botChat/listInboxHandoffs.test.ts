import { beforeAll, describe, expect, it } from 'vitest';
import { handoffsOf, newTalk, newWaiting } from '#test/support/handoffs.ts';
import { labelConversation, labelsOf } from '#test/support/labels.ts';
import {
  apiBaseUrl,
  call,
  eventually,
  newBot,
  newWorkspace,
  settled,
  type TestBot,
  useSharedPlatform,
} from '#test/support/platform.ts';

useSharedPlatform();

type Member = Awaited<ReturnType<TestBot['workspace']['join']>>;
interface Row {
  id: string;
  botId: string;
  conversationId: string;
}

let sales: TestBot;
let support: TestBot;
let agent: Member;

beforeAll(async () => {
  sales = await newBot();
  support = await newBot(sales.workspace);
  agent = await sales.workspace.join('agent');
});

const request = (query: string, { token }: { token: string } = agent, workspaceId = sales.workspace.id) =>
  call(`${apiBaseUrl()}/v1/chat/inbox/handoffs${query}`, {
    headers: { authorization: `Bearer ${token}`, 'x-workspace-id': workspaceId },
  });
const list = async (query: string): Promise<{ handoffs: Row[]; meta: { nextToken?: string } }> =>
  (await request(query)).body;
const idsOf = ({ handoffs }: { handoffs: Row[] }) => handoffs.map(({ id }) => id);

describe('GET /v1/chat/inbox/handoffs', () => {
  it('merges the queues of the bots of the workspace, longest waiting first', async () => {
    const [one, two, three] = [await newWaiting(sales), await newWaiting(support), await newWaiting(sales)];

    await eventually(async () =>
      expect((await list('?status=waiting&sortDirection=asc')).handoffs).toMatchObject([
        { id: one.id, botId: sales.id },
        { id: two.id, botId: support.id },
        { id: three.id, botId: sales.id },
      ]),
    );
    expect(idsOf(await list(`?status=waiting&botIds=${support.id}`))).toEqual([two.id]);
  });

  it('keeps the place of a conversation that returns to the queue', async () => {
    const [bot, other] = [await newBot(sales.workspace), await newBot(sales.workspace)];
    const [first, second] = [await newWaiting(bot), await newWaiting(other)];
    await handoffsOf(bot, agent.token).assign(first.id);

    await handoffsOf(bot, agent.token).assign(first.id, { accountId: null });

    await eventually(async () =>
      expect(idsOf(await list(`?status=waiting&sortDirection=asc&botIds[0]=${bot.id}&botIds[1]=${other.id}`))).toEqual([
        first.id,
        second.id,
      ]),
    );
  });

  it('sorts the conversations of a member by the last message of a user', async () => {
    const bot = await newBot(sales.workspace);
    const [one, two] = [await newTalk(bot), await newTalk(bot)];
    const handoffs = handoffsOf(bot, agent.token);
    for (const { conversationId } of [one, two]) await handoffs.start(conversationId, { accountId: agent.accountId });
    const mine = async () =>
      (await list(`?accountId=${agent.accountId}&botIds=${bot.id}`)).handoffs.map(each => each.conversationId);
    await eventually(async () => expect(await mine()).toEqual([two.conversationId, one.conversationId]));

    const messageId = await one.say('Are you still there?');
    await settled();

    await eventually(async () => expect(await mine()).toEqual([one.conversationId, two.conversationId]));
    const { handoffs: rows } = (await request(`?accountId=${agent.accountId}&botIds=${bot.id}`)).body;
    expect(rows[0]).toMatchObject({
      isUnread: true,
      lastUserMessageAt: expect.any(String),
      preview: { lastMessage: { id: messageId, author: 'user' } },
    });
  });

  it('sorts by the assignment when the last message of the user was deleted', async () => {
    const bot = await newBot(sales.workspace);
    const [one, two] = [await newTalk(bot), await newTalk(bot)];
    const handoffs = handoffsOf(bot, agent.token);
    for (const { conversationId } of [one, two]) await handoffs.start(conversationId, { accountId: agent.accountId });
    const messageId = await one.say('Never mind.');
    await settled();

    await one.client.deleteMessage({ id: messageId });
    await settled();

    await eventually(async () =>
      expect(
        (await list(`?accountId=${agent.accountId}&botIds=${bot.id}`)).handoffs.map(each => each.conversationId),
      ).toEqual([two.conversationId, one.conversationId]),
    );
  });

  it('continues after the last handoff of a page, across bots and statuses', async () => {
    const bots = [await newBot(sales.workspace), await newBot(sales.workspace)];
    const made: string[] = [];
    for (let i = 0; i < 6; i++) made.push((await newWaiting(bots[i % 2]!)).id);
    await handoffsOf(bots[1]!, agent.token).assign(made[1]!);
    const all = `?status[0]=waiting&status[1]=served&sortDirection=asc&pageSize=4&botIds[0]=${bots[0]!.id}&botIds[1]=${bots[1]!.id}`;
    await eventually(async () => expect(idsOf(await list(all))).toHaveLength(4));

    const first = await list(all);
    const second = await list(`${all}&nextToken=${encodeURIComponent(first.meta.nextToken!)}`);

    expect([...idsOf(first), ...idsOf(second)].sort()).toEqual(made.toSorted());
    expect(second.meta.nextToken).toBeUndefined();
  });

  it('returns the latest handoff of each conversation that is named', async () => {
    const bot = await newBot(sales.workspace);
    const closed = await newWaiting(bot);
    await handoffsOf(bot).end(closed.id);
    const again = (await handoffsOf(bot).start(closed.conversationId)).body.handoff;
    const other = await newWaiting(bot);
    await handoffsOf(bot).end(other.id);
    const { conversationId: withoutHandoff } = await newTalk(bot);
    const ids = [closed.conversationId, other.conversationId, withoutHandoff, 'no-such'];

    const { handoffs } = await list(`?botIds=${bot.id}&${ids.map((id, i) => `conversationIds[${i}]=${id}`).join('&')}`);

    expect(handoffs.map(({ id }) => id).sort()).toEqual([again.id, other.id].sort());
  });

  it('ignores bots of other workspaces', async () => {
    const stranger = await newBot(await newWorkspace());
    const foreign = await newWaiting(stranger);

    const byBot = await request(`?botIds=${stranger.id}`);
    const byConversation = await request(`?botIds=${stranger.id}&conversationIds=${foreign.conversationId}`);

    expect(byBot).toMatchObject({ status: 200, body: { handoffs: [], meta: {} } });
    expect(byConversation).toMatchObject({ status: 200, body: { handoffs: [], meta: {} } });
  });

  it('returns 403 to a stranger', async () => {
    const { owner } = await newWorkspace();

    expect((await request('', owner)).status).toBe(403);
  });

  it.each([
    ['?isUnread=true', 'isUnread'],
    ['?conversationIds=convo_x', 'conversationIds'],
    ['?status=asleep', 'status'],
  ])('returns 400 for %s', async (query, path) => {
    const { status, body } = await request(query);

    expect(status).toBe(400);
    expect(JSON.stringify(body)).toContain(path);
  });

  it('filters open and closed handoffs by the label of their conversations, also across pages', async () => {
    const [bot, other] = [await newBot(sales.workspace), await newBot(sales.workspace)];
    const [vip, spam] = [await labelsOf(bot.workspace).created('VIP'), await labelsOf(bot.workspace).created('Spam')];
    const [one, two] = [await newWaiting(bot), await newWaiting(other)];
    const [three, four] = [await newWaiting(bot), await newWaiting(other)];
    for (const [of, { conversationId }] of [
      [bot, one],
      [other, four],
    ] as const) {
      await labelConversation(of, conversationId, { add: [vip.id, spam.id] });
    }
    await labelConversation(other, two.conversationId, { add: [spam.id] });
    await handoffsOf(other).end(four.id);
    await settled();

    const bots = `&botIds[0]=${bot.id}&botIds[1]=${other.id}`;
    const filtered = (query: string) => list(`?labelId=${vip.id}${bots}${query}`);

    expect(idsOf(await filtered('&status=waiting'))).toEqual([one.id]);
    expect(idsOf(await filtered('&status=closed'))).toEqual([four.id]);
    expect(idsOf(await filtered('')).sort()).toEqual([one.id, four.id].sort());
    const bySpam = [];
    for (let token: string | undefined = ''; token !== undefined; ) {
      const page = await list(`?labelId=${spam.id}${bots}&pageSize=1${token && `&nextToken=${token}`}`);
      expect(page.handoffs.length).toBeLessThanOrEqual(1);
      bySpam.push(...idsOf(page));
      token = page.meta.nextToken;
    }
    expect(bySpam.sort()).toEqual([one.id, two.id, four.id].sort());
    expect(idsOf(await list(`?labelId=no-such${bots}`))).toEqual([]);
    expect(idsOf(await list(`?status=waiting${bots}`))).toContain(three.id);
  });
});
