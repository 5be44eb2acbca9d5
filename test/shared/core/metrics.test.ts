/** Tests metrics in CloudWatch's embedded metric format. */
import { afterEach, expect, it, vi } from 'vitest';
import { VARIABLES } from '#shared/core/environment.ts';
import { measured } from '#shared/core/metrics.ts';

afterEach(() => vi.unstubAllEnvs());

it("writes the stack's metrics in a log line, each by its declared dimension", () => {
  vi.stubEnv(VARIABLES.metricsNamespace, 'Parley-staging');

  const fields: Record<string, unknown> = {
    api: 'chat',
    ...measured({ latencyMs: 12, clientErrors: 1, deadLetters: 2 }),
  };

  expect(fields).toMatchObject({ api: 'chat', latencyMs: 12, clientErrors: 1, deadLetters: 2 });
  expect(fields._aws).toEqual({
    Timestamp: expect.any(Number),
    CloudWatchMetrics: [
      {
        Namespace: 'Parley-staging',
        Dimensions: [['api']],
        Metrics: [
          { Name: 'latencyMs', Unit: 'Milliseconds' },
          { Name: 'clientErrors', Unit: 'Count' },
        ],
      },
      { Namespace: 'Parley-staging', Dimensions: [[]], Metrics: [{ Name: 'deadLetters', Unit: 'Count' }] },
    ],
  });
});

it('writes plain fields without a namespace, as in a local platform', () => {
  expect(measured({ deadLetters: 1 })).toEqual({ deadLetters: 1 });
});
