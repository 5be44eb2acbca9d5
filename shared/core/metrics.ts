/**
 * Fields of a log line that CloudWatch extracts, at no call. Dimensions are rare: a combination costs $0.30 a month.
 */
import { clock } from './clock.ts';
import { environment } from './environment.ts';

const UNITS = {
  /** Time to the first byte of the response. By api. */
  latencyMs: 'Milliseconds',
  /** 4xx and 5xx responses. By api, and by operation. */
  clientErrors: 'Count',
  serverErrors: 'Count',
  deliveries: 'Count',
  deliveryRetries: 'Count',
  /** Deliveries rejected by the endpoint or out of attempts. */
  deliveriesFailed: 'Count',
  breakersOpened: 'Count',
  jobFailures: 'Count',
  parked: 'Count',
  timerLateMs: 'Milliseconds',
  filesIndexed: 'Count',
  filesFailed: 'Count',
  listeners: 'Count',
  totalsWrong: 'Count',
  canaryMs: 'Milliseconds',
  canaryFailures: 'Count',
} as const;

export type MetricName = keyof typeof UNITS;
type Values = Partial<Record<MetricName, number>>;

type Dimension = 'api' | 'operation';

/** Returns log fields that CloudWatch extracts as metrics, one metric per set of dimensions. */
export function measured(values: Values, by: readonly (readonly Dimension[])[] = [[]]): Record<string, unknown> {
  const { metricsNamespace: Namespace } = environment;
  if (!Namespace) return values;
  const names = Object.keys(values) as MetricName[];
  return {
    ...values,
    _aws: {
      Timestamp: clock.now(),
      CloudWatchMetrics: [{ Namespace, Dimensions: by, Metrics: names.map(Name => ({ Name, Unit: UNITS[Name] })) }],
    },
  };
}
