import { describe, expect, it } from 'vitest';
import { keepJob } from '#shared/events/consumers/keepDeadLetter.ts';
import { deadLettersOf } from '#test/support/deadLetters.ts';
import { isLeftOut, newBot, useSharedPlatform } from '#test/support/platform.ts';

useSharedPlatform();

const keep = (botId: string, index = 0) =>
  keepJob({
    consumer: 'failing',
    queue: 'sweeps',
    body: JSON.stringify({ botId, index }),
    group: undefined,
    error: new Error('arn:aws:secret'),
  });

describe.skipIf(isLeftOut('faults'))('GET /v1/admin/bots/{id}/parked', () => {
  it('pages through the dead letters of the bot, oldest first, without error texts', async () => {
    const bot = await newBot();
    for (let index = 0; index < 3; index++) await keep(bot.id, index);

    const first = (await bot.workspace.call('GET', `/bots/${bot.id}/parked?pageSize=2`)).body;
    const { nextToken } = first.meta;
    const second = (await bot.workspace.call('GET', `/bots/${bot.id}/parked?pageSize=2&nextToken=${nextToken}`)).body;

    expect([...first.parked, ...second.parked].map(({ id }) => id)).toEqual(
      (await deadLettersOf(bot.id)).map(({ id }) => id),
    );
    expect(first.parked).toHaveLength(2);
    expect(second.meta).toEqual({});
    expect(first.parked[0]).toMatchObject({ task: 'sweeps', error: 'Error', failures: 0 });
    expect(JSON.stringify([first, second])).not.toContain('arn:aws');
  });

  it('returns 404 to members of another workspace', async () => {
    const [bot, stranger] = [await newBot(), await newBot()];
    const body = { botId: bot.id };
    await keepJob({ consumer: 'failing', queue: 'sweeps', body: JSON.stringify(body), group: undefined, error: 'x' });

    const list = await stranger.workspace.call('GET', `/bots/${bot.id}/parked`);
    const redrive = await stranger.workspace.call('POST', `/bots/${bot.id}/parked/redrive`, { body: {} });

    expect([list.status, redrive.status]).toEqual([404, 404]);
    expect(await deadLettersOf(bot.id)).toMatchObject([{ failures: 0 }]);
  });
});
