import { describe, expect, it } from 'vitest';
import { clock } from '#shared/core/clock.ts';
import { eventually, newBotWithIntegration, newUser, newWorkspace, useSharedPlatform } from '#test/support/platform.ts';

useSharedPlatform();

const DAY_MS = 24 * 3600_000;
const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10);

describe('GET /v1/admin/bots/{id}/analytics', () => {
  it('counts the activity of a user by day', async () => {
    const workspace = await newWorkspace();
    const installation = await newBotWithIntegration(workspace);
    const { client } = await newUser(installation);
    const { conversation } = await client.createConversation({});
    const startMs = clock.now();

    for (const text of ['a', 'b', 'c']) {
      await client.createMessage({ conversationId: conversation.id, payload: { type: 'text', text } });
    }
    await client.createEvent({ conversationId: conversation.id, payload: { type: 'custom', data: {} } });

    await eventually(async () => {
      const { records } = await workspace.owner.client.getBotAnalytics({
        id: installation.bot.id,
        startDate: dayOf(startMs),
        endDate: dayOf(startMs),
      });
      expect(records).toEqual([
        expect.objectContaining({
          startDateTimeUtc: `${dayOf(startMs)}T00:00:00.000Z`,
          endDateTimeUtc: `${dayOf(startMs + DAY_MS)}T00:00:00.000Z`,
          newUsers: 1,
          returningUsers: 0,
          sessions: 1,
          messages: 3,
          userMessages: 3,
          botMessages: 0,
          events: 1,
          eventTypes: { 'chat:custom': 1 },
        }),
      ]);
    });
  });

  it('returns zeros for each day without activity, starting on a leap day', async () => {
    const { owner } = await newWorkspace();
    const { bot } = await owner.client.createBot({});

    const { records } = await owner.client.getBotAnalytics({
      id: bot.id,
      startDate: '2024-02-28',
      endDate: '2024-03-01T23:00:00Z',
    });

    expect(records.map(({ startDateTimeUtc }) => startDateTimeUtc.slice(0, 10))).toEqual([
      '2024-02-28',
      '2024-02-29',
      '2024-03-01',
    ]);
    for (const record of records) expect(record).toMatchObject({ messages: 0, events: 0, eventTypes: {}, sessions: 0 });
  });

  it.each([
    ['no start', 'endDate=2026-01-01', 'startDate'],
    ['no end', 'startDate=2026-01-01', 'endDate'],
    ['an invalid date', 'startDate=2026-13-01&endDate=2026-12-01', 'startDate'],
    ['an end before the start', 'startDate=2026-01-02&endDate=2026-01-01', 'endDate'],
    ['more than 366 days', 'startDate=2025-01-01&endDate=2026-01-02', 'endDate'],
  ])('rejects %s with a 400 that names the field', async (_, query, path) => {
    const workspace = await newWorkspace();
    const { bot } = await workspace.owner.client.createBot({});

    const { status, body } = await workspace.call('GET', `/bots/${bot.id}/analytics?${query}`);

    expect(status).toBe(400);
    expect(body).toMatchObject({ type: 'InvalidPayload', metadata: { issues: [{ path }] } });
  });

  it('returns 404 when the bot is unknown or belongs to another workspace', async () => {
    const mine = await newWorkspace();
    const { bot } = await (await newWorkspace()).owner.client.createBot({});

    const answers = await Promise.all(
      [crypto.randomUUID(), bot.id].map(id =>
        mine.call('GET', `/bots/${id}/analytics?startDate=2026-01-01&endDate=2026-01-01`),
      ),
    );

    for (const answer of answers) expect(answer).toMatchObject({ status: 404, body: { type: 'ResourceNotFound' } });
  });
});
