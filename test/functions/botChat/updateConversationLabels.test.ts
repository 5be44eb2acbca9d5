import { beforeAll, describe, expect, it } from 'vitest';
import { handoffsOf, newConversation } from '#test/support/handoffs.ts';
import { type Label, labelConversation, labelsOf } from '#test/support/labels.ts';
import { newBot, newUser, type TestBot, useSharedPlatform } from '#test/support/platform.ts';

useSharedPlatform();

let bot: TestBot;
let agent: Awaited<ReturnType<TestBot['workspace']['join']>>;
let labels: Label[];
beforeAll(async () => {
  bot = await newBot();
  agent = await bot.workspace.join('agent');
  labels = [];
  for (let i = 0; i < 22; i++) labels.push(await labelsOf(bot.workspace).created(`label ${i}`));
});

const idsOf = (...indexes: number[]) => indexes.map(i => labels[i]!.id);
const label = (id: string, body: unknown, token = agent.token) => labelConversation(bot, id, body, token);
const labelsIn = async (id: string, token = agent.token): Promise<string[] | undefined> =>
  (await bot.call('GET', `/conversations/${id}`, { token })).body.conversation.labelIds;

describe('PUT /v1/chat/conversations/{id}/labels', () => {
  it('adds and removes labels, in the order of their addition', async () => {
    const id = await newConversation(bot);

    const first = await label(id, { add: idsOf(1, 0) });
    const second = await label(id, { add: idsOf(2), remove: idsOf(1) });

    expect([first.status, second.status]).toEqual([200, 200]);
    expect(first.body.conversation).toMatchObject({ id, labelIds: idsOf(1, 0) });
    expect(second.body.conversation.labelIds).toEqual(idsOf(0, 2));
    expect(await labelsIn(id)).toEqual(idsOf(0, 2));
    expect(await labelsIn(id, bot.tokens.bot)).toEqual(idsOf(0, 2));
  });

  it('is idempotent, and omits the field without labels', async () => {
    const id = await newConversation(bot);

    await label(id, { add: idsOf(0, 0) });
    const repeated = await label(id, { add: idsOf(0) });
    await label(id, { remove: idsOf(0) });
    const gone = await label(id, { remove: [...idsOf(0), 'no-such'] });

    expect(repeated.body.conversation.labelIds).toEqual(idsOf(0));
    expect(gone.status).toBe(200);
    expect(gone.body.conversation).not.toHaveProperty('labelIds');
  });

  it('keeps the changes of concurrent callers', async () => {
    const id = await newConversation(bot);
    await label(id, { add: idsOf(9) });

    await Promise.all([...[0, 1, 2, 3, 4].map(i => label(id, { add: idsOf(i) })), label(id, { remove: idsOf(9) })]);

    expect((await labelsIn(id))?.sort()).toEqual(idsOf(0, 1, 2, 3, 4).sort());
  });

  it('does not count as an activity', async () => {
    const id = await newConversation(bot);
    const before = (await bot.client.getConversation({ id })).conversation.updatedAt;

    await label(id, { add: idsOf(0) });

    expect((await bot.client.getConversation({ id })).conversation.updatedAt).toBe(before);
  });

  it('returns 400 for the 21st label, and accepts one instead of another', async () => {
    const id = await newConversation(bot);
    await label(id, { add: labels.slice(0, 20).map(each => each.id) });

    const tooMany = await label(id, { add: idsOf(20) });
    const replaced = await label(id, { add: idsOf(20), remove: idsOf(0) });

    expect(tooMany).toMatchObject({ status: 400, body: { message: expect.stringContaining('at most 20 labels') } });
    expect(replaced.body.conversation.labelIds).toHaveLength(20);
  });

  it('returns 400 that names unknown labels and those of another workspace, and changes nothing', async () => {
    const id = await newConversation(bot);
    const foreign = await labelsOf((await newBot()).workspace).created('Foreign');

    const { status, body } = await label(id, { add: [...idsOf(0), 'no-such', foreign.id] });

    expect(status).toBe(400);
    expect(body.message).toContain(`no-such, ${foreign.id}`);
    expect(await labelsIn(id)).toBeUndefined();
  });

  it.each([
    ['an empty body', {}],
    ['empty lists', { add: [], remove: [] }],
    ['a label in both lists', { add: ['a'], remove: ['a'] }],
    ['101 labels', { add: Array.from({ length: 101 }, (_, i) => `l${i}`) }],
  ])('returns 400 for %s', async (_, body) => {
    expect((await label(await newConversation(bot), body)).status).toBe(400);
  });

  it('shows labels in lists to members and the bot, and neither to integrations nor to end users', async () => {
    const { client, user } = await newUser(bot);
    const { conversation } = await client.createConversation({});
    await label(conversation.id, { add: idsOf(0) });

    const path = `/conversations?participantIds[]=${user.id}`;
    const listed = async (token: string) => (await bot.call('GET', path, { token })).body.conversations;
    const [{ labelIds }] = await listed(agent.token);
    const forIntegration = [
      await bot.call('GET', `/conversations/${conversation.id}`, { token: bot.tokens.integration }),
      await listed(bot.tokens.integration),
    ];

    expect(labelIds).toEqual(idsOf(0));
    expect((await listed(bot.tokens.bot))[0].labelIds).toEqual(idsOf(0));
    for (const each of forIntegration) {
      expect(JSON.stringify(each)).toContain(conversation.id);
      expect(JSON.stringify(each)).not.toContain(labels[0]!.id);
    }
    expect(JSON.stringify(await client.getConversation({ id: conversation.id }))).not.toContain(labels[0]!.id);
  });

  it('shows labels in the previews of the inbox', async () => {
    const id = await newConversation(bot);
    await handoffsOf(bot).start(id);
    await label(id, { add: idsOf(3) });

    const { body } = await bot.call('GET', `/inbox/handoffs?botIds=${bot.id}&conversationIds=${id}`, {
      token: agent.token,
      headers: { 'x-workspace-id': bot.workspace.id },
    });

    expect(body.handoffs[0].preview.labelIds).toEqual(idsOf(3));
  });

  it('returns 403 to viewers and integrations, and 404 for a conversation of another bot', async () => {
    const id = await newConversation(bot);
    const viewer = await bot.workspace.join('viewer');
    const other = await newBot(bot.workspace);

    expect((await label(id, { add: idsOf(0) }, viewer.token)).status).toBe(403);
    expect((await label(id, { add: idsOf(0) }, bot.tokens.integration)).status).toBe(403);
    expect((await label(id, { add: idsOf(0) }, bot.tokens.bot)).status).toBe(200);
    expect((await labelConversation(other, id, { add: idsOf(0) })).status).toBe(404);
    expect((await label('no-such', { add: idsOf(0) })).status).toBe(404);
  });
});
