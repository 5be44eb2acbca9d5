import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { clock } from '#shared/core/clock.ts';
import { mapConcurrently } from '#shared/core/concurrency.ts';
import { newConversationId, positionAt, timelineId } from '#shared/core/ids.ts';
import {
  addToBot,
  addToMember,
  countDuration,
  countOne,
  pagesOfCounters,
} from '#shared/storage/dynamodb/bots/reportCounters.ts';
import { putNewHandoff } from '#shared/storage/dynamodb/chat/handoffs.ts';
import { type Write, write } from '#shared/storage/dynamodb/engine/transaction.ts';
import { handoffsOf, newTalk } from '#test/support/handoffs.ts';
import {
  apiBaseUrl,
  call,
  isLeftOut,
  newBot,
  settled,
  type TestBot,
  useSharedPlatform,
} from '#test/support/platform.ts';

useSharedPlatform();

const DAY_MS = 24 * 3_600_000;
const dayAt = (ms: number) => new Date(ms).toISOString().slice(0, 10);

const request = ({ workspace: { id, owner } }: TestBot, query: Record<string, string>, token = owner.token) =>
  call(`${apiBaseUrl()}/v1/chat/inbox/report?${new URLSearchParams(query)}`, { token, workspaceId: id });

/** Returns a report from yesterday to tomorrow. */
async function reportOf(bot: TestBot, query: Record<string, string> = {}) {
  const now = clock.now();
  const range = { from: dayAt(now - DAY_MS), to: dayAt(now + DAY_MS) };
  const { status, body } = await request(bot, { ...range, ...query });
  expect(status, JSON.stringify(body)).toBe(200);
  return body.report;
}

const addStarts = (botId: string, ...times: string[]) =>
  each(times.flatMap(time => addToBot(botId, 'convo_1', countOne('started', Date.parse(time)))));
const each = async (writes: Write[]) => {
  for (const one of writes) await write([one]);
};

describe('GET /v1/chat/inbox/report', () => {
  it.skipIf(isLeftOut('clock'))('counts conversations, handoffs, durations and ratings', async () => {
    const bot = await newBot();
    const [ada, bob] = [await bot.workspace.join('agent'), await bot.workspace.join('agent')];
    const asBot = handoffsOf(bot);
    const talk = await newTalk(bot);
    await talk.say('I need a person.');
    await (await newTalk(bot)).say('The bot can do this.');
    const { id } = (await asBot.start(talk.conversationId, { reason: 'Refund' })).body.handoff;
    clock.advance(90_000);
    await handoffsOf(bot, ada.token).assign(id);
    clock.advance(60_000);
    await handoffsOf(bot, ada.token).reply(id);
    await handoffsOf(bot, ada.token).reply(id, 'Anything else?');
    await handoffsOf(bot, ada.token).assign(id, { accountId: null });
    clock.advance(600_000);
    await handoffsOf(bot, bob.token).assign(id);
    await handoffsOf(bot, bob.token).reply(id);
    await handoffsOf(bot, bob.token).end(id);
    await talk.rate({ value: 2 });
    await talk.rate({ value: 4, comment: 'Better.' });
    // The second handoff of a conversation hands over no further conversation, and a take-over did not wait.
    await handoffsOf(bot, bob.token).start(talk.conversationId, { accountId: bob.accountId });
    await settled();

    const report = await reportOf(bot);

    expect(report.totals).toMatchObject({
      ...{ conversations: 2, handedOver: 1, containment: 0.5 },
      ...{ started: 2, assigned: 3, ended: 1, resolved: 0 },
      waiting: { count: 2 },
      firstResponse: { count: 1 },
      resolution: { count: 1 },
      csat: { responses: 1, ratings: [0, 0, 0, 1, 0], average: 4, satisfied: 1 },
    });
    const { waiting, firstResponse, resolution } = report.totals;
    expect(waiting.averageSeconds).toBeGreaterThanOrEqual((90 + 600) / 2);
    expect(waiting.averageSeconds).toBeLessThan((90 + 600) / 2 + 20);
    expect(firstResponse.averageSeconds).toBeGreaterThanOrEqual(150);
    expect(firstResponse.averageSeconds).toBeLessThan(170);
    expect(resolution.averageSeconds).toBeGreaterThanOrEqual(750);
    expect(resolution.averageSeconds).toBeLessThan(790);
    expect(report.bots).toEqual([{ botId: bot.id, ...report.totals }]);
    expect(report.members).toMatchObject([
      {
        id: bob.accountId,
        assigned: 2,
        ended: 1,
        waiting: { count: 1 },
        firstResponse: { count: 0 },
        csat: { responses: 1 },
      },
      {
        id: ada.accountId,
        assigned: 1,
        ended: 0,
        waiting: { count: 1 },
        firstResponse: { count: 1 },
        csat: { responses: 0 },
      },
    ]);
    expect(report.startedByHour.flat().reduce((sum: number, count: number) => sum + count)).toBe(2);
    expect(report.reasons).toEqual({ reasons: [{ text: 'Refund', count: 1 }], withoutReason: 1, isPartial: false });
    expect(report.preceding.totals).toMatchObject({ started: 0, conversations: 0 });
  });

  it('counts repeated and concurrent calls once', async () => {
    const bot = await newBot();
    const agents = await Promise.all([1, 2, 3, 4].map(() => bot.workspace.join('agent')));
    const asBot = handoffsOf(bot);
    const { conversationId, rate } = await newTalk(bot);

    const started = await Promise.all(Array.from({ length: 6 }, () => asBot.start(conversationId)));
    const { id } = started[0]!.body.handoff;
    const key = randomUUID();
    await Promise.all(agents.map(({ token }) => handoffsOf(bot, token).assign(id)));
    const { member } = (await asBot.get(id)).body.handoff;
    const { token } = agents.find(({ accountId }) => accountId === member.id)!;
    await Promise.all([1, 2, 3, 4].map(() => handoffsOf(bot, token).reply(id)));
    const end = { method: 'POST', headers: { 'idempotency-key': key }, body: { servedBy: member.id } };
    for (let i = 0; i < 3; i++) await bot.call('POST', `/handoffs/${id}/end`, end);
    await Promise.all([1, 2, 3, 4, 5].map(value => rate({ value })));

    const { totals } = await reportOf(bot);
    expect(totals).toMatchObject({
      ...{ started: 1, handedOver: 1, assigned: 1, ended: 1 },
      waiting: { count: 1 },
      firstResponse: { count: 1 },
      csat: { responses: 1 },
    });
    expect(totals.csat.ratings.toSorted()).toEqual([0, 0, 0, 0, 1]);
  });

  it('counts concurrent handoffs of different conversations', async () => {
    const bot = await newBot();
    const { accountId } = await bot.workspace.join('agent');
    const talks = await Promise.all(Array.from({ length: 30 }, () => newTalk(bot)));

    const answers = await Promise.all(
      talks.map(({ conversationId }) => handoffsOf(bot).start(conversationId, { accountId })),
    );

    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
    const { totals, members } = await reportOf(bot);
    expect(totals).toMatchObject({ started: 30, handedOver: 30, assigned: 30 });
    expect(members).toMatchObject([{ id: accountId, assigned: 30 }]);
  });

  it('counts a conversation once, with the first message of a user', async () => {
    const bot = await newBot();
    const { say, conversationId } = await newTalk(bot);
    await newTalk(bot);
    const write = () =>
      bot.client.createMessage({ conversationId, userId: bot.id, type: 'text', payload: { text: 'Hi' }, tags: {} });

    await write();
    await settled();
    expect((await reportOf(bot)).totals.conversations).toBe(0);
    for (let i = 0; i < 3; i++) await say('Hello');
    await settled();
    await say('Still there?');
    await settled();

    expect((await reportOf(bot)).totals.conversations).toBe(1);
  });

  it('assigns hours to days of the time zone, across UTC days and the change to summer time', async () => {
    const bot = await newBot();
    await addStarts(
      bot.id,
      '2026-03-08T07:30:00Z',
      ...['2026-03-08T08:30:00Z', '2026-03-08T10:30:00Z', '2026-03-09T06:30:00Z'],
      '2026-03-09T07:00:00Z',
    );

    const timeZone = 'America/Los_Angeles';
    const { body } = await request(bot, { from: '2026-03-08', to: '2026-03-08', timeZone });

    const { report } = body;
    expect(report.totals.started).toBe(3);
    expect(report.days).toMatchObject([{ date: '2026-03-08', started: 3 }]);
    expect(report.preceding).toMatchObject({ from: '2026-03-07', to: '2026-03-07', totals: { started: 1 } });
    const [SUNDAY] = [6];
    expect([0, 3, 23].map(hour => report.startedByHour[SUNDAY!][hour])).toEqual([1, 1, 1]);
    const utc = (await request(bot, { from: '2026-03-08', to: '2026-03-09' })).body.report;
    expect(utc.days.map(({ started }: { started: number }) => started)).toEqual([3, 2]);
  });

  it('counts both hours that a clock shows twice', async () => {
    const bot = await newBot();
    await addStarts(bot.id, '2026-11-01T08:30:00Z', '2026-11-01T09:30:00Z');

    const timeZone = 'America/Los_Angeles';
    const { report } = (await request(bot, { from: '2026-11-01', to: '2026-11-01', timeZone })).body;

    expect(report.startedByHour[6][1]).toBe(2);
  });

  it('assigns a UTC hour to the local hour in which it begins in zones of half hours', async () => {
    const bot = await newBot();
    await addStarts(bot.id, '2026-03-10T18:10:00Z', '2026-03-10T18:50:00Z', '2026-03-10T19:00:00Z');

    const { report } = (await request(bot, { from: '2026-03-10', to: '2026-03-11', timeZone: 'Asia/Kolkata' })).body;

    expect(report.days.map(({ started }: { started: number }) => started)).toEqual([2, 1]);
    expect([report.startedByHour[1][23], report.startedByHour[2][0]]).toEqual([2, 1]);
  });

  it('estimates medians and percentiles from the histogram', async () => {
    const bot = await newBot();
    const at = Date.parse('2026-05-04T10:00:00Z');
    const seconds = [...new Array(8).fill(45), 3_000, 400_000];
    await each(
      seconds.flatMap(lasted => addToBot(bot.id, 'convo_1', countDuration('waiting', at - lasted * 1_000, at))),
    );

    const { report } = (await request(bot, { from: '2026-05-04', to: '2026-05-04' })).body;

    expect(report.totals.waiting).toEqual({
      count: 10,
      averageSeconds: (8 * 45 + 3_000 + 400_000) / 10,
      // The fifth of eight between 30 and 60 seconds, and the ninth between 30 and 60 minutes.
      medianSeconds: 49,
      p90Seconds: 3_600,
    });
  });

  it('groups reasons that differ in case and white space, the most frequent first', async () => {
    const bot = await newBot();
    for (const reason of ['refund', 'Password  reset', ' Refund', 'Refund '])
      await handoffsOf(bot).start((await newTalk(bot)).conversationId, { reason });

    const { reasons } = await reportOf(bot);

    expect(reasons).toEqual({
      reasons: [
        { text: 'Refund', count: 3 },
        { text: 'Password reset', count: 1 },
      ],
      withoutReason: 0,
      isPartial: false,
    });
  });

  it('reads the reasons of the latest 1,000 handoffs, and says that there are more', { timeout: 60_000 }, async () => {
    const bot = await newBot();
    const actor = { type: 'bot' as const, id: bot.id, name: 'Bot' };
    const handoffs = Array.from({ length: 1_001 }, (_, i) => {
      const conversationId = newConversationId();
      const position = positionAt(Date.parse('2026-05-04T10:00:00Z') + i * 1_000);
      const id = timelineId('handoff', conversationId, position);
      const reason = i === 0 ? 'The oldest' : 'Refund';
      const start = { startedBy: actor, change: position, version: 1, generation: undefined };
      return { id, conversationId, webhookId: '', status: 'waiting' as const, reason, ...start };
    });
    await mapConcurrently(handoffs, 20, handoff => write([putNewHandoff(bot.id, handoff)]));

    const { report } = (await request(bot, { from: '2026-05-04', to: '2026-05-04' })).body;

    expect(report.reasons).toEqual({
      reasons: [{ text: 'Refund', count: 1_000 }],
      withoutReason: 0,
      isPartial: true,
    });
  });

  it('adds the chosen bots of the workspace, and nothing of other workspaces', async () => {
    const mine = await newBot();
    const [second, foreign] = [await newBot(mine.workspace), await newBot()];
    const time = new Date(clock.now()).toISOString();
    for (const { id } of [mine, second, foreign]) await addStarts(id, time);

    expect((await reportOf(mine)).totals.started).toBe(2);
    expect((await reportOf(mine, { botIds: second.id })).bots).toMatchObject([{ botId: second.id, started: 1 }]);
    expect(await reportOf(mine, { botIds: foreign.id })).toMatchObject({ bots: [], totals: { started: 0 } });
  });

  it('is read by viewers, not by agents', async () => {
    const bot = await newBot();
    const range = { from: '2026-01-01', to: '2026-01-31' };

    expect((await request(bot, range, (await bot.workspace.join('viewer')).token)).status).toBe(200);
    expect((await request(bot, range, (await bot.workspace.join('agent')).token)).status).toBe(403);
  });

  it.each([
    [{ from: '2026-01-01' }, 'to'],
    [{ from: '2026-01-02', to: '2026-01-01' }, 'to'],
    [{ from: '2026-01-01', to: '2026-04-03' }, 'to'],
    [{ from: '2026-02-30', to: '2026-03-01' }, 'from'],
    [{ from: '1999-12-31', to: '2000-01-01' }, 'from'],
    [{ from: '2026-01-01', to: '2026-01-01', timeZone: 'Mars/Olympus' }, 'timeZone'],
    [{ from: '2026-01-01', to: '2026-01-01', timeZone: '+02:00' }, 'timeZone'],
  ])('returns 400 for %j', async (query, path) => {
    const { status, body } = await request(await newBot(), query as Record<string, string>);

    expect(status).toBe(400);
    expect(JSON.stringify(body)).toContain(path);
  });

  it('accepts 92 days, and fills days without counters', async () => {
    const { body } = await request(await newBot(), { from: '2026-01-01', to: '2026-04-02' });

    expect(body.report.days).toHaveLength(92);
    expect(body.report.totals.containment).toBeUndefined();
    expect(body.report.preceding).toMatchObject({ from: '2025-10-01', to: '2025-12-31' });
  });

  it('deletes the counters with the bot', async () => {
    const bot = await newBot();
    await addStarts(bot.id, '2026-05-04T10:00:00Z');
    await each(
      addToMember(bot.id, { id: bot.workspace.owner.accountId, name: 'Ada' }, countOne('assigned', clock.now())),
    );

    await bot.workspace.owner.client.deleteBot({ id: bot.id });
    await settled();

    const left = await Promise.all(
      (['bot', 'member'] as const).map(subject => pagesOfCounters(bot.id, subject, '2000-01-01', '2080-01-01').next()),
    );
    expect(left.map(({ value }) => value)).toEqual([[], []]);
  });
});
