import { describe, expect, it } from 'vitest';
import { clock } from '#shared/core/clock.ts';
import { encodeTime } from '#shared/core/ids.ts';
import { write } from '#shared/storage/dynamodb/transaction.ts';
import { type LogLine, putLogLine } from '#shared/storage/dynamodb/workspace/logs.ts';
import { newBotWithIntegration, newWorkspace, type TestWorkspace, useSharedPlatform } from '#test/support/platform.ts';

useSharedPlatform();

const DAY_MS = 24 * 3600_000;
const iso = (ms: number) => new Date(ms).toISOString();

/** Writes past log lines at the positions of their times. */
const seed = (id: string, lines: LogLine[]) =>
  write(
    lines.map((line, i) => {
      const part = putLogLine(id, line);
      if ('put' in part) part.put.Item.sk = `${encodeTime(line.timestampMs)}${String(i).padStart(6, '0')}`;
      return part;
    }),
  );

async function newBot(workspace: TestWorkspace) {
  const { bot } = await workspace.owner.client.createBot({});
  return bot;
}

describe('GET /v1/admin/bots/{id}/logs', () => {
  it('returns the log of the bot, oldest first', async () => {
    const workspace = await newWorkspace();
    const { bot, integration } = await newBotWithIntegration(workspace);
    await workspace.owner.client.updateBot({ id: bot.id, integrations: { chat: null } });

    const { logs, nextToken } = await workspace.owner.client.getBotLogs({ id: bot.id, timeStart: bot.createdAt });

    expect(logs).toEqual([
      {
        timestamp: expect.any(String),
        level: 'info',
        message: `The integration chat was installed (${integration.id}).`,
      },
      { timestamp: expect.any(String), level: 'info', message: 'The integration chat was uninstalled.' },
    ]);
    expect(nextToken).toBeUndefined();
  });

  it('contains a warning for each integration that a deployment removes', async () => {
    const workspace = await newWorkspace();
    const { bot } = await newBotWithIntegration(workspace);
    const { client } = workspace.owner;
    const [installed] = Object.values(bot.integrations);
    const code = 'exports.handler = async () => ({ status: 200 })';
    const warnings = async () => {
      const { logs } = await client.getBotLogs({ id: bot.id, timeStart: bot.createdAt, level: 'warn' } as never);
      return logs.map(({ message }) => message);
    };

    await client.updateBot({ id: bot.id, code });
    expect(await warnings()).toEqual([]);

    await client.updateBot({ id: bot.id, code, integrations: { chat: null, [installed!.id]: { enabled: true } } });
    const moved = `The installation chat of the ${installed!.name} integration was removed because the deployed definition installs the integration under another alias. Its address no longer works.`;
    expect(await warnings()).toEqual([moved]);

    await client.updateBot({ id: bot.id, code, integrations: { [installed!.id]: null } });
    const removed = `The ${installed!.name} integration was removed because the deployed definition does not contain it. Run bp add ${installed!.name}.`;
    expect(await warnings()).toEqual([moved, removed]);

    await client.updateBot({ id: bot.id, integrations: { chat: { integrationId: installed!.id } } });
    await client.updateBot({ id: bot.id, integrations: { chat: null } });
    expect(await warnings()).toEqual([moved, removed]);
  });

  it.each([
    ['older than 30 days', -30 * DAY_MS - 60_000],
    ['in the future', 2 * DAY_MS],
  ])('answers 200 with an empty page for a range %s', async (_, offsetMs) => {
    const workspace = await newWorkspace();
    const { id } = await newBot(workspace);
    const startMs = clock.now() + offsetMs;

    const page = await workspace.owner.client.getBotLogs({
      id,
      timeStart: iso(startMs),
      timeEnd: iso(startMs + 1_000),
    });

    expect(page.logs).toEqual([]);
  });

  it('keeps the order of lines within a millisecond, even for slow writes', async () => {
    const workspace = await newWorkspace();
    const { id } = await newBot(workspace);
    const line = { timestampMs: clock.now() + 1, level: 'info' as const };
    const messages = Array.from({ length: 20 }, (_, i) => `line ${i}`);
    for (const message of messages) {
      await write([putLogLine(id, { ...line, message })]);
      clock.advance(2);
    }

    const { logs } = await workspace.owner.client.getBotLogs({ id, timeStart: iso(line.timestampMs) });

    expect(logs.map(({ message }) => message)).toEqual(messages);
  });

  it('pages through several days without gaps', async () => {
    const workspace = await newWorkspace();
    const { id } = await newBot(workspace);
    const startMs = clock.now() - 4 * DAY_MS;
    const days = [0, 1, 3].map(day => Array.from({ length: 45 }, (_, i) => ({ day, i })));
    for (const day of days) {
      await seed(
        id,
        day.map(({ day, i }) => ({ timestampMs: startMs + day * DAY_MS + i, level: 'info', message: `${day}.${i}` })),
      );
    }

    const first = await workspace.owner.client.getBotLogs({ id, timeStart: iso(startMs) });
    const second = await workspace.owner.client.getBotLogs({
      id,
      timeStart: iso(startMs),
      nextToken: first.nextToken,
    });

    expect([first.logs.length, second.logs.length]).toEqual([100, 35]);
    expect(second.nextToken).toBeUndefined();
    expect([...first.logs, ...second.logs].map(({ message }) => message)).toEqual(
      days.flat().map(({ day, i }) => `${day}.${i}`),
    );
  });

  it('filters by time, level, text, user and conversation', async () => {
    const workspace = await newWorkspace();
    const { client } = workspace.owner;
    const { id } = await newBot(workspace);
    const startMs = clock.now() - 2 * DAY_MS;
    await seed(id, [
      { timestampMs: startMs, level: 'error', message: 'a broke', userId: 'ada' },
      { timestampMs: startMs + 1000, level: 'warn', message: 'b creaks', conversationId: 'c' },
      { timestampMs: startMs + DAY_MS, level: 'error', message: 'c broke' },
    ]);
    const timeStart = iso(startMs);

    const found = await Promise.all([
      client.getBotLogs({ id, timeStart, level: 'error' }),
      client.getBotLogs({ id, timeStart, messageContains: 'creak' }),
      client.getBotLogs({ id, timeStart, userId: 'ada' }),
      client.getBotLogs({ id, timeStart, conversationId: 'c' }),
      client.getBotLogs({ id, timeStart, timeEnd: iso(startMs + 1000) }),
      client.getBotLogs({ id, timeStart: iso(startMs + 1) }),
    ]);

    expect(found.map(({ logs }) => logs.map(({ message }) => message[0]).join(''))).toEqual([
      'ac',
      'b',
      'a',
      'b',
      'ab',
      'bc',
    ]);
  });

  it.each([
    ['an end before the start', 'timeStart=2026-01-02T00:00:00Z&timeEnd=2026-01-01T00:00:00Z', 'timeEnd'],
    ['no start', '', 'timeStart'],
    ['an invalid start', 'timeStart=yesterday', 'timeStart'],
    ['an unknown level', 'timeStart=2026-01-01T00:00:00Z&level=loud', 'level'],
    ['a forged nextToken', 'timeStart=2026-01-01T00:00:00Z&nextToken=nonsense', 'nextToken'],
  ])('rejects %s with a 400 that names the field', async (_, query, path) => {
    const workspace = await newWorkspace();
    const { id } = await newBot(workspace);

    const { status, body } = await workspace.call('GET', `/bots/${id}/logs?${query}`);

    expect(status).toBe(400);
    expect(body).toMatchObject({ type: 'InvalidPayload', metadata: { issues: [{ path }] } });
  });

  it('returns 404 when the bot is unknown or belongs to another workspace', async () => {
    const mine = await newWorkspace();
    const foreign = await newBot(await newWorkspace());
    const timeStart = iso(0);

    const answers = await Promise.all(
      [crypto.randomUUID(), foreign.id].map(id => mine.call('GET', `/bots/${id}/logs?timeStart=${timeStart}`)),
    );

    for (const answer of answers) expect(answer).toMatchObject({ status: 404, body: { type: 'ResourceNotFound' } });
  });
});
