import { describe, expect, it } from 'vitest';
import { clock } from '#shared/core/clock.ts';
import { eventually, newBotWithIntegration, newUser, newWorkspace, useSharedPlatform } from '#test/support/platform.ts';

useSharedPlatform();

const thisMonth = () => new Date(clock.now()).toISOString().slice(0, 7);

describe('GET /v1/admin/usages/{id}', () => {
  it('returns the usage of the workspace or of one of its bots', async () => {
    const { id, owner } = await newWorkspace();
    const { bot } = await owner.client.createBot({});
    await owner.client.createBot({});

    const { usage: all } = await owner.client.getUsage({ id, type: 'bot_count' });
    const { usage: own } = await owner.client.getUsage({ id: bot.id, type: 'bot_count' });

    const common = { period: thisMonth(), quota: Number.MAX_SAFE_INTEGER, type: 'bot_count' };
    expect(all).toEqual({ ...common, id, value: 2 });
    expect(own).toEqual({ ...common, id: bot.id, value: 1 });
  });

  it('counts the messages of chat users exactly', async () => {
    const workspace = await newWorkspace();
    const { bot, chatUrl } = await newBotWithIntegration(workspace);
    const { client } = await newUser({ chatUrl });
    const { conversation } = await client.createConversation({});
    for (let n = 0; n < 5; n++) {
      await client.createMessage({ conversationId: conversation.id, payload: { type: 'text', text: `${n}` } });
    }

    const usageOf = async (id: string) =>
      (await workspace.owner.client.getUsage({ id, type: 'invocation_calls' })).usage.value;

    await eventually(async () => expect(await usageOf(workspace.id)).toBe(5));
    expect(await usageOf(bot.id)).toBe(5);
  });

  it('returns 0 for a month before any usage', async () => {
    const { id, owner } = await newWorkspace();

    const { usage } = await owner.client.getUsage({ id, type: 'workspace_member_count', period: '2020-01' });

    expect(usage).toMatchObject({ period: '2020-01', value: 0 });
  });

  it.each([
    ['no type', '', 'type'],
    ['an unknown type', 'type=bots', 'type'],
    ['an invalid month', 'type=bot_count&period=2020-13', 'period'],
    ['a day as the period', 'type=bot_count&period=2020-01-01', 'period'],
  ])('rejects %s with a 400 that names the field', async (_, query, path) => {
    const { id, call } = await newWorkspace();

    const answer = await call('GET', `/usages/${id}?${query}`);

    expect(answer.body).toMatchObject({ code: 400, type: 'InvalidPayload', metadata: { issues: [{ path }] } });
  });

  it('returns 404 for an id that is unknown or belongs to another workspace', async () => {
    const { call } = await newWorkspace();
    const other = await newWorkspace();
    const { bot } = await other.owner.client.createBot({});

    const answers = await Promise.all(
      [other.id, bot.id, 'nothing'].map(id => call('GET', `/usages/${id}?type=bot_count`)),
    );

    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404]);
  });
});
