import { describe, expect, it } from 'vitest';
import { newWorkspace, useSharedPlatform } from '#test/support/platform.ts';

useSharedPlatform();

describe('GET /v1/admin/usages/multiple', () => {
  it('returns every requested type for every id', async () => {
    const { id, owner } = await newWorkspace();
    const { bot } = await owner.client.createBot({});
    await owner.client.createBot({});

    const { usages } = await owner.client.getMultipleUsages({
      types: ['bot_count', 'workspace_member_count'],
      ids: [id, bot.id],
    });

    expect(usages.map(({ id, type, value }) => [id, type, value])).toEqual([
      [id, 'bot_count', 2],
      [id, 'workspace_member_count', 1],
      [bot.id, 'bot_count', 1],
      [bot.id, 'workspace_member_count', 0],
    ]);
  });

  it('accepts single values and a month', async () => {
    const { id, owner, call } = await newWorkspace();
    await owner.client.createBot({});

    const now = await call('GET', `/usages/multiple?types=bot_count&ids=${id}`);
    const before = await call('GET', `/usages/multiple?types=bot_count&ids=${id}&period=2020-01`);

    expect(now.body.usages).toMatchObject([{ id, type: 'bot_count', value: 1 }]);
    expect(before.body.usages).toMatchObject([{ id, type: 'bot_count', value: 0, period: '2020-01' }]);
  });

  it('returns each usage once, even if requested twice', async () => {
    const { id, call } = await newWorkspace();

    const { body } = await call('GET', `/usages/multiple?types=bot_count&types=bot_count&ids=${id}&ids=${id}`);

    expect(body.usages).toHaveLength(1);
  });

  it.each([
    ['no types', 'ids=a', 'types'],
    ['no ids', 'types=bot_count', 'ids'],
    ['an unknown type', 'types=bot_count&types=bots&ids=a', 'types.1'],
    ['an invalid period', 'types=bot_count&ids=a&period=now', 'period'],
  ])('rejects %s with a 400 that names the field', async (_, query, path) => {
    const { call } = await newWorkspace();

    const answer = await call('GET', `/usages/multiple?${query}`);

    expect(answer.body).toMatchObject({ code: 400, type: 'InvalidPayload', metadata: { issues: [{ path }] } });
  });

  it('returns 404 when one of the ids is unknown or belongs to another workspace', async () => {
    const { id, call } = await newWorkspace();
    const other = await newWorkspace();
    const ask = (second: string) => call('GET', `/usages/multiple?types=bot_count&ids=${id}&ids=${second}`);

    const answers = [await ask(other.id), await ask('nothing')];

    expect(answers.map(({ status }) => status)).toEqual([404, 404]);
  });
});
