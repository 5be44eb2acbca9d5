/**
 * Fields of a log line that CloudWatch extracts as metrics, without an API call. Each combination of dimension values
 * is a custom metric and costs $0.30 a month. Calls therefore have no dimension for the operation, which is a field of
 * the log line.
 */
import { clock } from './clock.ts';
import { environment } from './environment.ts';

type Dimension = 'api' | 'operation';

interface Declaration {
  unit: 'Count' | 'Milliseconds';
  /** A field of the log line whose values are separate metrics. Undefined for one metric of the whole installation. */
  by?: Dimension;
}

/** `infra/operator/cost/customMetrics.ts` counts the custom metrics of these declarations. */
export const METRICS = {
  /** Time to the first byte of the response. */
  latencyMs: { unit: 'Milliseconds', by: 'api' },
  /** 4xx and 5xx responses. */
  clientErrors: { unit: 'Count', by: 'api' },
  serverErrors: { unit: 'Count', by: 'api' },
  deliveries: { unit: 'Count' },
  deliveryRetries: { unit: 'Count' },
  /** Deliveries rejected by the endpoint or out of attempts. */
  deliveriesFailed: { unit: 'Count' },
  breakersOpened: { unit: 'Count' },
  /** By the consumer that runs the job. */
  jobFailures: { unit: 'Count', by: 'operation' },
  deadLetters: { unit: 'Count' },
  timerLateMs: { unit: 'Milliseconds' },
  filesIndexed: { unit: 'Count' },
  filesFailed: { unit: 'Count' },
  /** Open event streams. */
  listeners: { unit: 'Count' },
  /** Change of the number of open WebSocket connections: 1 for an opened one, -1 for a closed one. */
  connections: { unit: 'Count' },
  /** Frames for connections, including those that could not be sent. */
  pushes: { unit: 'Count' },
  /** Frames that API Gateway did not accept in time. Excludes connections that had ended. */
  pushesFailed: { unit: 'Count' },
  totalsWrong: { unit: 'Count' },
  canaryMs: { unit: 'Milliseconds' },
  canaryFailures: { unit: 'Count' },
} as const satisfies Record<string, Declaration>;

export type MetricName = keyof typeof METRICS;
type Values = Partial<Record<MetricName, number>>;

/** Returns log fields that CloudWatch extracts as metrics. The line must contain the declared dimensions. */
export function measured(values: Values): Record<string, unknown> {
  const { metricsNamespace: Namespace } = environment;
  if (!Namespace) return values;
  const sets = Map.groupBy(Object.keys(values) as MetricName[], name => dimensionOf(name));
  return {
    ...values,
    _aws: {
      Timestamp: clock.now(),
      CloudWatchMetrics: [...sets].map(([dimension, names]) => ({
        Namespace,
        Dimensions: [dimension ? [dimension] : []],
        Metrics: names.map(Name => ({ Name, Unit: METRICS[Name].unit })),
      })),
    },
  };
}

export function dimensionOf(name: MetricName): Dimension | undefined {
  const declaration: Declaration = METRICS[name];
  return declaration.by;
}
