/** Tests metrics in CloudWatch's embedded metric format. */
import { afterEach, expect, it, vi } from 'vitest';
import { VARIABLES } from '#shared/core/environment.ts';
import { measured } from '#shared/core/metrics.ts';

afterEach(() => vi.unstubAllEnvs());

it('writes metrics of the stack in a line of the log', () => {
  vi.stubEnv(VARIABLES.metricsNamespace, 'Parley-staging');

  const fields: Record<string, unknown> = {
    api: 'chat',
    operation: 'createMessage',
    ...measured({ latencyMs: 12 }, [['api'], ['api', 'operation']]),
  };

  expect(fields).toMatchObject({ api: 'chat', latencyMs: 12 });
  expect(fields._aws).toEqual({
    Timestamp: expect.any(Number),
    CloudWatchMetrics: [
      {
        Namespace: 'Parley-staging',
        Dimensions: [['api'], ['api', 'operation']],
        Metrics: [{ Name: 'latencyMs', Unit: 'Milliseconds' }],
      },
    ],
  });
});

it('writes plain fields without a namespace, as in a local platform', () => {
  expect(measured({ parked: 1 })).toEqual({ parked: 1 });
});
