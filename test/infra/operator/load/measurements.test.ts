import { describe, expect, it } from 'vitest';
import { Measurements, percentile } from '#infra/operator/load/measurements.ts';

describe('measurements', () => {
  it('contains percentiles, failures and their causes per operation', () => {
    const measurements = new Measurements();
    for (let ms = 100; ms >= 1; ms--) measurements.took('createMessage', ms);
    measurements.took('getUser', 5);
    measurements.failed('getUser', '503');

    expect(measurements.report()).toEqual([
      { operation: 'createMessage', calls: 100, failed: 0, p50: 50, p95: 95, p99: 99, max: 100 },
      { operation: 'getUser', calls: 1, failed: 1, p50: 5, p95: 5, p99: 5, max: 5 },
    ]);
    expect(measurements.reasons()).toEqual(['getUser: 503 (1)']);
    expect([measurements.calls, measurements.failures]).toEqual([101, 1]);
  });

  it('is 0 without calls', () => {
    expect(percentile([], 0.5)).toBe(0);
  });
});
