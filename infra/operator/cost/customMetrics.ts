/** Counts the custom metrics of an installation, from their declarations. */
import type { Operation } from '#shared/api/operations/operations.ts';
import { dimensionOf, METRICS, type MetricName } from '#shared/core/metrics.ts';
import { QUEUE_NAMES } from '#shared/storage/queues/queueSettings.ts';

const APIS = { chat: true, platform: true, webhook: true } as const satisfies Record<Operation['api'], true>;
const API_COUNT = Object.keys(APIS).length;

/** Each queue has one consumer. */
const VALUES = { api: API_COUNT, operation: QUEUE_NAMES.length };

/** Kinds of alarms with a metric filter on the access log of each API. */
const FILTERED = ['refusals', 'throttles'];

/** Returns the maximum number of custom metrics. CloudWatch bills those that are written in a month. */
export function countCustomMetrics({ hasAlarms }: { hasAlarms: boolean }): number {
  const names = (Object.keys(METRICS) as MetricName[]).filter(name => hasAlarms || !name.startsWith('canary'));
  const logged = names.reduce((sum, name) => {
    const dimension = dimensionOf(name);
    return sum + (dimension ? VALUES[dimension] : 1);
  }, 0);
  return logged + (hasAlarms ? API_COUNT * FILTERED.length : 0);
}
