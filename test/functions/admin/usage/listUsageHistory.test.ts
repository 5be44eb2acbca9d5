import { describe, expect, it } from 'vitest';
import { clock } from '#shared/core/clock.ts';
import { newWorkspace, useSharedPlatform } from '#test/support/platform.ts';

useSharedPlatform();

const thisMonth = () => new Date(clock.now()).toISOString().slice(0, 7);

describe('GET /v1/admin/usages/{id}/history', () => {
  it('returns every month since the workspace was created, for it and for a bot', async () => {
    const { id, owner } = await newWorkspace();
    const { bot } = await owner.client.createBot({});
    await owner.client.createBot({});

    const all = await owner.client.listUsageHistory({ id, type: 'bot_count' });
    const own = await owner.client.listUsageHistory({ id: bot.id, type: 'bot_count' });

    const common = { period: thisMonth(), quota: Number.MAX_SAFE_INTEGER, type: 'bot_count' };
    expect(all.usages).toEqual([{ ...common, id, value: 2 }]);
    expect(own.usages).toEqual([{ ...common, id: bot.id, value: 1 }]);
  });

  it.each([
    ['no type', ''],
    ['an unknown type', 'type=bots'],
  ])('rejects %s with a 400 that names the field', async (_, query) => {
    const { id, call } = await newWorkspace();

    const answer = await call('GET', `/usages/${id}/history?${query}`);

    expect(answer.body).toMatchObject({ code: 400, metadata: { issues: [{ path: 'type' }] } });
  });

  it('returns 404 for an id that is unknown or belongs to another workspace', async () => {
    const { call } = await newWorkspace();
    const other = await newWorkspace();
    const { bot } = await other.owner.client.createBot({});

    const answers = await Promise.all(
      [other.id, bot.id, 'nothing'].map(id => call('GET', `/usages/${id}/history?type=bot_count`)),
    );

    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404]);
  });
});
