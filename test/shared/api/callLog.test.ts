import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { VARIABLES } from '#shared/core/environment.ts';
import { call, chatBaseUrl, isLeftOut, useSharedPlatform } from '#test/support/platform.ts';
import { type RecordedLog, recordLog } from '#test/support/recordLog.ts';
import { newWebhook } from '#test/support/tenants.ts';

useSharedPlatform();
let log: RecordedLog;
beforeEach(() => {
  log = recordLog();
});
afterEach(() => vi.unstubAllEnvs());

describe.skipIf(isLeftOut('log'))('the log', () => {
  it('contains the operation, caller, bot, outcome and latency', async () => {
    const { webhookId, botId } = await newWebhook();
    const { body } = await call(`${chatBaseUrl()}/${webhookId}/users`, { method: 'POST', body: { name: 'Ada' } });
    await call(`${chatBaseUrl()}/${webhookId}/users/me`, { method: 'GET', key: body.key });

    const answered = log.entries.filter(({ message }) => message === 'Answered.');
    expect(answered).toMatchObject([
      { api: 'chat', operation: 'createUser', status: 201, caller: 'anyone', botId, latencyMs: expect.any(Number) },
      { api: 'chat', operation: 'getUser', status: 200, caller: 'user', botId, requestId: expect.any(String) },
    ]);
  });

  it('contains neither keys nor message content', async () => {
    const { webhookId } = await newWebhook();
    const { body } = await call(`${chatBaseUrl()}/${webhookId}/users`, {
      method: 'POST',
      body: { name: 'Ada Lovelace' },
    });

    const text = log.lines.join();
    expect(text).not.toContain(body.key);
    expect(text).not.toContain('Lovelace');
  });

  it("contains one line for a rejected call, with the caller's error id", async () => {
    const { webhookId } = await newWebhook();
    const { body } = await call(`${chatBaseUrl()}/${webhookId}/users/me`, { method: 'GET', key: 'wrong' });

    expect(log.entries.filter(({ errorId }) => errorId === body.id)).toMatchObject([
      {
        message: 'The call was rejected.',
        operation: 'getUser',
        status: 401,
        type: 'Unauthorized',
        reason: body.message,
      },
    ]);
  });

  it('produces metrics of latency and errors by API, and names the operation', async () => {
    vi.stubEnv(VARIABLES.metricsNamespace, 'Parley');
    const { webhookId } = await newWebhook();
    await call(`${chatBaseUrl()}/${webhookId}/users`, { method: 'POST', body: {} });
    await call(`${chatBaseUrl()}/${webhookId}/users/me`);

    const metrics = log.entries.flatMap(({ _aws, status, operation }) =>
      _aws
        ? [
            {
              status,
              operation,
              ...(_aws as { CloudWatchMetrics: [{ Dimensions: unknown; Metrics: { Name: string }[] }] })
                .CloudWatchMetrics[0],
            },
          ]
        : [],
    );
    expect(
      metrics.map(({ status, operation, Dimensions, Metrics }) => [
        status,
        operation,
        Dimensions,
        Metrics.map(({ Name }) => Name),
      ]),
    ).toEqual([
      [201, 'createUser', [['api']], ['latencyMs']],
      [401, 'getUser', [['api']], ['latencyMs', 'clientErrors']],
    ]);
  });

  it('omits successful calls if the operator logs only failures', async () => {
    vi.stubEnv(VARIABLES.requestLog, 'failures');
    const { webhookId } = await newWebhook();
    await call(`${chatBaseUrl()}/${webhookId}/users`, { method: 'POST', body: {} });
    await call(`${chatBaseUrl()}/${webhookId}/users/me`);

    expect(log.entries.filter(({ api }) => api).map(({ status }) => status)).toEqual([401]);
  });
});
