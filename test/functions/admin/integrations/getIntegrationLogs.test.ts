import { describe, expect, it } from 'vitest';
import { clock } from '#shared/core/clock.ts';
import { encodeTime } from '#shared/core/ids.ts';
import { write } from '#shared/storage/dynamodb/transaction.ts';
import { type LogLine, putLogLine } from '#shared/storage/dynamodb/workspace/logs.ts';
import { newWorkspace, type TestWorkspace, useSharedPlatform } from '#test/support/platform.ts';

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

async function newIntegration(workspace: TestWorkspace) {
  const { integration } = await workspace.owner.client.createIntegration({ name: 'mail', version: '1.0.0' });
  return integration;
}

describe('GET /v1/admin/integrations/{id}/logs', () => {
  it('returns the log of the integration', async () => {
    const workspace = await newWorkspace();
    const { client } = workspace.owner;
    const { id, createdAt } = await newIntegration(workspace);
    await client.rotateIntegrationSigningSecrets({ id });

    const { logs, nextToken } = await client.getIntegrationLogs({ id, timeStart: createdAt });

    expect(logs).toEqual([
      { timestamp: expect.any(String), level: 'info', message: 'The signing secret was rotated.' },
    ]);
    expect(nextToken).toBeUndefined();
  });

  it('pages through several days without gaps', async () => {
    const workspace = await newWorkspace();
    const { id } = await newIntegration(workspace);
    const startMs = clock.now() - 4 * DAY_MS;
    const days = [0, 1, 3].map(day => Array.from({ length: 45 }, (_, i) => ({ day, i })));
    for (const day of days) {
      await seed(
        id,
        day.map(({ day, i }) => ({ timestampMs: startMs + day * DAY_MS + i, level: 'info', message: `${day}.${i}` })),
      );
    }

    const first = await workspace.owner.client.getIntegrationLogs({ id, timeStart: iso(startMs) });
    const second = await workspace.owner.client.getIntegrationLogs({
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
    const { id } = await newIntegration(workspace);
    const startMs = clock.now() - 2 * DAY_MS;
    await seed(id, [
      { timestampMs: startMs, level: 'error', message: 'a broke', userId: 'ada' },
      { timestampMs: startMs + 1000, level: 'warn', message: 'b creaks', conversationId: 'c' },
      { timestampMs: startMs + DAY_MS, level: 'error', message: 'c broke' },
    ]);
    const timeStart = iso(startMs);

    const found = await Promise.all([
      client.getIntegrationLogs({ id, timeStart, level: 'error' }),
      client.getIntegrationLogs({ id, timeStart, messageContains: 'creak' }),
      client.getIntegrationLogs({ id, timeStart, userId: 'ada' }),
      client.getIntegrationLogs({ id, timeStart, conversationId: 'c' }),
      client.getIntegrationLogs({ id, timeStart, timeEnd: iso(startMs + 1000) }),
      client.getIntegrationLogs({ id, timeStart: iso(startMs + 1) }),
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
    const { id } = await newIntegration(workspace);

    const { status, body } = await workspace.call('GET', `/integrations/${id}/logs?${query}`);

    expect(status).toBe(400);
    expect(body).toMatchObject({ type: 'InvalidPayload', metadata: { issues: [{ path }] } });
  });

  it('returns 404 when the integration is unknown or belongs to another workspace', async () => {
    const mine = await newWorkspace();
    const foreign = await newIntegration(await newWorkspace());
    const timeStart = iso(0);

    const answers = await Promise.all(
      ['intver_unknown', foreign.id].map(id => mine.call('GET', `/integrations/${id}/logs?timeStart=${timeStart}`)),
    );

    for (const answer of answers) expect(answer).toMatchObject({ status: 404, body: { type: 'ResourceNotFound' } });
  });
});
