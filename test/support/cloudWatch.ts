/* biome-ignore-all lint/suspicious/noExplicitAny: a template is as deep as CloudFormation */
/**
 * Evaluates metrics of log lines and alarms of templates as CloudWatch documents it, for the features that this stack
 * uses. Throws for others.
 */

/** Namespace, name, and dimensions as a template has them. */
type Key = string;

/** Values of each metric per period, the earliest first. */
export type Measured = Map<Key, number[][]>;

const keyOf = (namespace: string, name: string, dimensions: { Name: string; Value: unknown }[] = []): Key =>
  JSON.stringify([namespace, name, dimensions.map(({ Name, Value }) => [Name, Value]).sort()]);

function add(measured: Measured, period: number, key: Key, value: number): void {
  const periods = measured.get(key) ?? [];
  measured.set(key, periods);
  periods[period] = [...(periods[period] ?? []), value];
}

/** Returns the metrics of a line in the embedded metric format. */
export function addLine(measured: Measured, period: number, line: string): void {
  const fields = JSON.parse(line);
  for (const { Namespace, Dimensions, Metrics } of fields._aws?.CloudWatchMetrics ?? []) {
    for (const names of Dimensions as string[][]) {
      const dimensions = names.map(Name => ({ Name, Value: fields[Name] }));
      for (const { Name } of Metrics) add(measured, period, keyOf(Namespace, Name, dimensions), fields[Name]);
    }
  }
}

/** Returns the metric of a line by a metric filter. */
export function addFiltered(measured: Measured, period: number, filter: any, line: string): void {
  const [, field, text] = /^\{ \$\.(\w+) = "(\w+)" \}$/.exec(filter.FilterPattern) ?? fail(filter.FilterPattern);
  if (JSON.parse(line)[field!] !== text) return;
  for (const { MetricNamespace, MetricName, MetricValue } of filter.MetricTransformations)
    add(measured, period, keyOf(MetricNamespace, MetricName), Number(MetricValue));
}

/** Adds metrics of an AWS service about the alarm's resource. */
export function addServiceMetric(measured: Measured, period: number, alarm: any, name: string, value: number): void {
  const metric = metricsOf(alarm).find(({ MetricName, Namespace }) => MetricName === name && /^AWS\//.test(Namespace));
  if (!metric) throw new Error(`${alarm.AlarmName} does not watch ${name}.`);
  add(measured, period, keyOf(metric.Namespace, metric.MetricName, metric.Dimensions), value);
}

const metricsOf = (alarm: any): any[] =>
  alarm.Metrics ? alarm.Metrics.flatMap(({ MetricStat }: any) => (MetricStat ? [MetricStat.Metric] : [])) : [alarm];

/** Returns the state of an alarm after a number of periods. */
export function stateOf(alarm: any, measured: Measured, periods: number): 'OK' | 'ALARM' {
  const { EvaluationPeriods, DatapointsToAlarm = EvaluationPeriods, TreatMissingData, Threshold } = alarm;
  const isBreaching =
    COMPARISONS[alarm.ComparisonOperator as keyof typeof COMPARISONS] ?? fail(alarm.ComparisonOperator);
  const missing = { breaching: true, notBreaching: false }[TreatMissingData as string];
  if (missing === undefined) throw new Error(`${alarm.AlarmName} does not say what missing data mean.`);
  const looked = Array.from({ length: EvaluationPeriods }, (_, i) => periods - EvaluationPeriods + i);
  const breaching = looked.filter(period => {
    const value = period < 0 ? undefined : currentValue(alarm, measured, period);
    return value === undefined ? missing : isBreaching(value, Threshold);
  });
  return breaching.length >= DatapointsToAlarm ? 'ALARM' : 'OK';
}

const COMPARISONS = {
  GreaterThanOrEqualToThreshold: (value: number, threshold: number) => value >= threshold,
  LessThanOrEqualToThreshold: (value: number, threshold: number) => value <= threshold,
};

function currentValue(alarm: any, measured: Measured, period: number): number | undefined {
  const single = (metric: any, statistic: string) =>
    statisticOf(measured.get(keyOf(metric.Namespace, metric.MetricName, metric.Dimensions))?.[period], statistic);
  if (!alarm.Metrics) return single(alarm, alarm.Statistic ?? alarm.ExtendedStatistic);
  const { Expression } = alarm.Metrics.find(({ ReturnData }: any) => ReturnData !== false);
  const parts = alarm.Metrics.filter(({ MetricStat }: any) => MetricStat);
  const values = new Map<string, number | undefined>(
    parts.map(({ Id, MetricStat: { Metric, Stat } }: any) => [Id, single(Metric, Stat)]),
  );
  return calculate(Expression, values);
}

function statisticOf(values: number[] | undefined, statistic: string): number | undefined {
  if (!values) return undefined;
  const [, percentile] = /^p(\d+)$/.exec(statistic) ?? [];
  if (percentile) return values.toSorted((a, b) => a - b)[Math.ceil((Number(percentile) / 100) * values.length) - 1];
  switch (statistic) {
    case 'Sum':
      return values.reduce((sum, value) => sum + value, 0);
    case 'Maximum':
      return Math.max(...values);
    case 'SampleCount':
      return values.length;
    default:
      return fail(statistic);
  }
}

/** `SUM` ignores missing values. Other expressions have no value if a metric has none. */
function calculate(expression: string, values: ReadonlyMap<string, number | undefined>): number | undefined {
  const present = [...values.values()].filter(value => value !== undefined);
  if (expression === 'SUM(METRICS())')
    return present.length > 0 ? present.reduce((sum, value) => sum + value, 0) : undefined;
  if (present.length < values.size) return undefined;
  const IF = (isSo: boolean, then: number, otherwise: number) => (isSo ? then : otherwise);
  return new Function('IF', ...values.keys(), `return ${expression}`)(IF, ...values.values());
}

function fail(what: string): never {
  throw new Error(`CloudWatch's ${what} is not known here.`);
}
