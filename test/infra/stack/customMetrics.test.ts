/** Tests the number of custom metrics in the cost model against the log lines and metric filters that create them. */
import { afterEach, expect, it, vi } from 'vitest';
import * as consumers from '#functions/events/index.ts';
import { apis } from '#infra/gateway/apis.ts';
import { parseLoad } from '#infra/operator/cost/costLoad.ts';
import { countCustomMetrics } from '#infra/operator/cost/customMetrics.ts';
import { estimate } from '#infra/operator/cost/estimate.ts';
import { pricesOf } from '#infra/operator/cost/prices.ts';
import { logCall } from '#shared/api/steps/logCall.ts';
import { clock } from '#shared/core/clock.ts';
import { VARIABLES } from '#shared/core/environment.ts';
import { log } from '#shared/core/log.ts';
import { dimensionOf, METRICS, type MetricName, measured } from '#shared/core/metrics.ts';
import { addFiltered, addLine, type Measured } from '#test/support/cloudWatch.ts';
import { synthesised } from './template.ts';

/** $13 a month, more than any other part of a small installation. A further metric needs a good reason. */
const FEW = 44;

afterEach(() => vi.unstubAllEnvs());

function linesOf(write: () => unknown): string[] {
  const lines: string[] = [];
  const spies = (['info', 'warn', 'error'] as const).map(level => vi.spyOn(log, level));
  for (const spy of spies)
    spy.mockImplementation((message, fields) => void lines.push(JSON.stringify({ message, ...fields })));
  write();
  for (const spy of spies) spy.mockRestore();
  return lines;
}

/** Returns a line of every call, with each kind of status, and of every job that fails. */
const allLines = () =>
  linesOf(() => {
    for (const operation of apis.flatMap(api => api.operations))
      for (const statusCode of [200, 404, 500]) {
        const call = { nowMs: clock.now(), requestId: 'r' };
        logCall(operation).after!({ event: { call }, response: { statusCode } } as never);
      }
    for (const { name, trigger } of Object.values(consumers))
      if ('queue' in trigger) log.warn('A job failed.', { operation: name, ...measured({ jobFailures: 1 }) });
    for (const name of (Object.keys(METRICS) as MetricName[]).filter(each => !dimensionOf(each)))
      log.info('Measured.', measured({ [name]: 1 }));
  });

it('counts every metric that log lines and metric filters can create', () => {
  vi.stubEnv(VARIABLES.metricsNamespace, 'Parley');
  const created: Measured = new Map();

  for (const line of allLines()) addLine(created, 0, line);
  const logged = created.size;
  const filters = synthesised({ alarmEmail: 'you@example.com' }).all.filter(
    ([, { Type }]) => Type === 'AWS::Logs::MetricFilter',
  );
  for (const [, { Properties }] of filters)
    addFiltered(created, 0, Properties, '{"errorType":"THROTTLED","lambdaStatus":"429"}');

  expect(created.size).toBe(logged + filters.length);
  expect(countCustomMetrics({ hasAlarms: true })).toBe(created.size);
  expect(created.size).toBeLessThanOrEqual(FEW);
});

it('matches the charges of npm run cost', () => {
  const [prices, load] = [pricesOf('us-east-1'), parseLoad({ messages: '1' })];

  const line = estimate(load, prices).find(({ what }) => what.endsWith('metrics'))!;

  const metrics = countCustomMetrics({ hasAlarms: false });
  expect(line.what).toBe(`a dashboard, ${metrics} metrics`);
  expect(line.usd).toBeCloseTo(prices.dashboard + metrics * prices.metric, 6);
});
