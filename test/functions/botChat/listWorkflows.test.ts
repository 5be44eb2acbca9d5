import { randomBytes, randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { type AdminClient, newBot, type TestBot, useSharedPlatform } from '#test/support/platform.ts';

useSharedPlatform();

type Query = Parameters<AdminClient['listWorkflows']>[0];

let bot: TestBot;
beforeAll(async () => {
  bot = await newBot();
});

const create = async (fields: Partial<Parameters<AdminClient['createWorkflow']>[0]> = {}, of = bot) =>
  (await of.client.createWorkflow({ name: 'w', status: 'listening', ...fields })).workflow;
const listed = async (query: Query) => (await bot.client.listWorkflows(query)).workflows;

/** Returns the records of all pages. */
async function paged(query: Query, of = bot, pageSize = 2) {
  const ids: string[] = [];
  let nextToken: string | undefined;
  do {
    const page = await of.client.listWorkflows({ ...query, pageSize, nextToken });
    expect(page.workflows.length).toBeLessThanOrEqual(pageSize);
    ids.push(...page.workflows.map(({ id }) => id));
    nextToken = page.meta.nextToken;
  } while (nextToken);
  return ids;
}

describe('GET /v1/chat/workflows', () => {
  it('returns 200 with all workflows of this bot, newest first', async () => {
    const own = await newBot(bot.workspace);
    const workflows = [await create({}, own), await create({ status: 'pending' }, own), await create({}, own)];

    const { status, body } = await own.call('GET', '/workflows');

    expect(status).toBe(200);
    expect(body).toEqual({ workflows: workflows.reverse(), meta: {} });
  });

  it('filters by conversation, user and parent, separately and combined', async () => {
    const { conversation } = await bot.client.createConversation({ channel: 'channel', tags: {} });
    const { user } = await bot.client.createUser({ tags: {} });
    const [conversationId, userId] = [conversation.id, user.id];
    const parent = await create();
    const a = await create({ conversationId });
    const b = await create({ userId });
    const c = await create({ conversationId, userId, parentWorkflowId: parent.id });
    const d = await create();
    await bot.client.updateWorkflow({ id: d.id, userId });

    const idsBy = async (query: Query) => (await listed(query)).map(({ id }) => id);

    expect(await idsBy({ conversationId })).toEqual([c.id, a.id]);
    expect(await idsBy({ userId })).toEqual([d.id, c.id, b.id]);
    expect(await idsBy({ parentWorkflowId: parent.id })).toEqual([c.id]);
    expect(await idsBy({ conversationId, userId })).toEqual([c.id]);
  });

  it('filters by name and by tags, all of which must match', async () => {
    const [name, tag] = [`n-${randomUUID()}`, randomUUID()];
    const a = await create({ name, tags: { tag, n: '1' } });
    const b = await create({ name, tags: { tag, n: '2' } });
    const c = await create({ tags: { tag, n: '1' } });

    expect(await listed({ name })).toEqual([b, a]);
    expect(await listed({ tags: { tag } })).toEqual([c, b, a]);
    expect(await listed({ tags: { tag, n: '1' } })).toEqual([c, a]);
    expect(await listed({ name, tags: { tag, n: '1' } })).toEqual([a]);
  });

  it('filters by one or several current statuses', async () => {
    const own = await newBot(bot.workspace);
    const listening = await create({}, own);
    const pending = await create({ status: 'pending' }, own);
    const completed = await create({}, own);
    await own.client.updateWorkflow({ id: completed.id, status: 'completed' });

    const idsOf = async (...statuses: NonNullable<Query['statuses']>) =>
      (await own.client.listWorkflows({ statuses })).workflows.map(({ id }) => id);

    expect(await idsOf('listening')).toEqual([listening.id]);
    expect(await idsOf('completed')).toEqual([completed.id]);
    expect(await idsOf('listening', 'pending', 'completed')).toEqual([completed.id, pending.id, listening.id]);
    expect(await idsOf('cancelled')).toEqual([]);
  });

  it('pages through each kind of list without repetition', async () => {
    const own = await newBot(bot.workspace);
    const { conversation } = await own.client.createConversation({ channel: 'channel', tags: {} });
    const ids: string[] = [];
    for (const status of ['listening', 'pending', 'listening', 'pending', 'listening'] as const) {
      const fields = { status, conversationId: conversation.id, tags: { all: 'x' } };
      ids.unshift((await create(fields, own)).id);
    }

    const queries: Query[] = [
      {},
      { name: 'w' },
      { statuses: ['listening', 'pending'] },
      { conversationId: conversation.id },
      { tags: { all: 'x' } },
    ];

    for (const query of queries) expect(await paged(query, own)).toEqual(ids);
  });

  it('shortens pages of large workflows', async () => {
    const name = `n-${randomUUID()}`;
    const ids: string[] = [];
    for (let i = 0; i < 8; i++) {
      ids.unshift((await create({ name, input: { text: randomBytes(680_000).toString('base64') } })).id);
    }

    expect(await paged({ name }, bot, 20)).toEqual(ids);
  });

  it.each([
    ['statuses=asleep', 'statuses.0'],
    ['tags=care', 'tags'],
    ['pageSize=101', 'pageSize'],
    ['nextToken=nonsense', 'nextToken'],
  ])('returns 400 for ?%s and names the field', async (query, path) => {
    const { status, body } = await bot.call('GET', `/workflows?${query}`);

    expect({ status, type: body.type, path: body.metadata?.issues[0].path }).toEqual({
      status: 400,
      type: 'InvalidPayload',
      path,
    });
  });
});
