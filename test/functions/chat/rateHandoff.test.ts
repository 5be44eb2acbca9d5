import { describe, expect, it } from 'vitest';
import { clock } from '#shared/core/clock.ts';
import { handoffsOf, newTalk, useTeam } from '#test/support/handoffs.ts';
import { apiBaseUrl, call, isLeftOut, settled, useSharedPlatform } from '#test/support/platform.ts';

useSharedPlatform();

const { team, as } = useTeam();
const DAY_MS = 24 * 3_600_000;
const anyTime = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);

/** Returns the number of ratings of today and the days beside it. */
async function responses(): Promise<number> {
  const day = (days: number) => new Date(clock.now() + days * DAY_MS).toISOString().slice(0, 10);
  const { id, owner } = team.bot.workspace;
  const { body } = await call(`${apiBaseUrl()}/v1/chat/inbox/report?from=${day(-1)}&to=${day(1)}`, {
    token: owner.token,
    workspaceId: id,
  });
  return body.report.totals.csat.responses;
}

async function ended() {
  const talk = await newTalk(team.bot);
  const { start, end, get } = handoffsOf(team.bot);
  const { id } = (await start(talk.conversationId, { accountId: team.ada.accountId })).body.handoff;
  await end(id, { servedBy: team.ada.accountId });
  return { ...talk, id, shown: async () => (await get(id)).body.handoff };
}

describe('PUT /conversations/{id}/rating', () => {
  it('stores the rating, which members and the bot see', async () => {
    const { rate, shown, userId, id } = await ended();

    const answer = await rate({ value: 4, comment: 'Quick.' });

    expect(answer).toMatchObject({ status: 200, body: { rating: { value: 4, comment: 'Quick.', ratedAt: anyTime } } });
    const { rating } = answer.body;
    expect((await shown()).rating).toEqual({ ...rating, userId });
    expect((await as(team.ada).get(id)).body.handoff.rating).toEqual({ ...rating, userId });
  });

  it('replaces an earlier rating and its comment', async () => {
    const { rate, shown } = await ended();
    await rate({ value: 1, comment: 'Slow.' });

    expect((await rate({ value: 5 })).status).toBe(200);

    const { rating } = await shown();
    expect(rating.value).toBe(5);
    expect(rating.comment).toBeUndefined();
  });

  it('rates the closed handoff while another one is open', async () => {
    const { rate, shown, conversationId } = await ended();
    const { body: open } = await handoffsOf(team.bot).start(conversationId);

    expect((await rate({ value: 2 })).status).toBe(200);

    expect((await shown()).rating.value).toBe(2);
    expect((await handoffsOf(team.bot).get(open.handoff.id)).body.handoff.rating).toBeUndefined();
  });

  it('returns 404 without a handoff, and 409 before its end', async () => {
    const { rate, conversationId } = await newTalk(team.bot);

    expect(await rate({ value: 3 })).toMatchObject({ status: 404, body: { type: 'ResourceNotFound' } });

    await handoffsOf(team.bot).start(conversationId);
    expect(await rate({ value: 3 })).toMatchObject({ status: 409, body: { type: 'RelationConflict' } });
  });

  it.skipIf(isLeftOut('clock'))('returns 409 from 7 days after the end', async () => {
    const { rate } = await ended();
    clock.advance(7 * DAY_MS - 60_000);
    expect((await rate({ value: 3 })).status).toBe(200);

    clock.advance(120_000);

    expect(await rate({ value: 4 })).toMatchObject({ status: 409, body: { type: 'RelationConflict' } });
  });

  it.each([{}, { value: 0 }, { value: 6 }, { value: 4.5 }, { value: '5' }, { value: 5, comment: 'x'.repeat(1_001) }])(
    'returns 400 for %j',
    async body => {
      const { rate } = await ended();

      expect(await rate(body)).toMatchObject({ status: 400, body: { type: 'InvalidPayload' } });
    },
  );

  it('stores one of concurrent ratings', async () => {
    const { rate, shown } = await ended();

    const answers = await Promise.all([1, 2, 3, 4, 5].map(value => rate({ value })));

    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    expect([1, 2, 3, 4, 5]).toContain((await shown()).rating.value);
  });

  it('is erased with its author, and stays counted', async () => {
    const { rate, shown, userId } = await ended();
    const before = await responses();
    await rate({ value: 5, comment: 'Ask for me, Ada Lovelace.' });

    const { status } = await team.bot.call('POST', `/users/${userId}/erase`, { body: {} });
    expect(status).toBeLessThan(300);
    await settled();

    expect((await shown()).rating).toBeUndefined();
    expect(await responses()).toBe(before + 1);
  });
});
