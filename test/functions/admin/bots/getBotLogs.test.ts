import { describe, expect, it } from 'vitest';
import { clock } from '#shared/core/clock.ts';
import { write } from '#shared/storage/dynamodb/engine/transaction.ts';
import { putLogLine } from '#shared/storage/dynamodb/workspace/logs.ts';
import { newBotWithIntegration, newWorkspace, useSharedPlatform } from '#test/support/platform.ts';
import { BOT } from '#test/support/suites/adminOwners.ts';
import { testLogs } from '#test/support/suites/logs.ts';

useSharedPlatform();

const DAY_MS = 24 * 3600_000;
const iso = (ms: number) => new Date(ms).toISOString();

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
      const { logs } = await client.getBotLogs({ id: bot.id, timeStart: bot.createdAt, level: 'warn' });
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
  ])('returns an empty page for a range %s', async (_, offsetMs) => {
    const workspace = await newWorkspace();
    const { id } = await BOT.create(workspace);
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
    const { id } = await BOT.create(workspace);
    const line = { timestampMs: clock.now() + 1, level: 'info' as const };
    const messages = Array.from({ length: 20 }, (_, i) => `line ${i}`);
    for (const message of messages) {
      await write([putLogLine(id, { ...line, message })]);
      clock.advance(2);
    }

    const { logs } = await workspace.owner.client.getBotLogs({ id, timeStart: iso(line.timestampMs) });

    expect(logs.map(({ message }) => message)).toEqual(messages);
  });

  testLogs(BOT);
});
