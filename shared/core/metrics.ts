/**
 * Metrics, as fields of a line of the log: CloudWatch makes metrics of lines in its embedded format, so that measuring
 * costs no call. docs/operations.md#metrics lists what each means.
 *
 * A combination of dimensions costs $0.30 a month while it is written, so few metrics have any: calls and durations of
 * each operation are Lambda's own metrics, because each operation is a function.
 */
import { clock } from './clock.ts';
import { environment } from './environment.ts';

/** Every metric, and its unit. */
const UNITS = {
  /** From the request to the first byte of the answer. By api. */
  latencyMs: 'Milliseconds',
  /** Answers with a 4xx, and with a 5xx. By api, and by operation. */
  clientErrors: 'Count',
  serverErrors: 'Count',
  /**
   * Attempts to deliver an event to an endpoint or to deployed code: those that succeeded, and those that are made
   * again.
   */
  deliveries: 'Count',
  deliveryRetries: 'Count',
  /** Given up: refused by the endpoint, or after all attempts. */
  deliveriesFailed: 'Count',
  /** An endpoint is left alone for a while. */
  breakersOpened: 'Count',
  /** Jobs that failed, and come again. By operation. */
  jobFailures: 'Count',
  /** Changes and jobs that were parked. */
  parked: 'Count',
  /** From when a timer was due to when it had fired. */
  timerLateMs: 'Milliseconds',
  /** Files whose indexing ended, well or not. */
  filesIndexed: 'Count',
  filesFailed: 'Count',
  /** Open streams of a process, each minute. */
  listeners: 'Count',
  /** Totals that differed from what they count. */
  totalsWrong: 'Count',
  /** From a message of the canary to the answer of its bot. */
  canaryMs: 'Milliseconds',
  canaryFailures: 'Count',
} as const;

export type MetricName = keyof typeof UNITS;
type Values = Partial<Record<MetricName, number>>;

/** What a metric is measured by; each is a field of the same line. */
type Dimension = 'api' | 'operation';

/**
 * The fields that make metrics of a line.
 * @param by sets of dimensions; each set makes a metric of its own
 */
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
