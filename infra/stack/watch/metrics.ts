/** The metrics that alarms and the dashboard are made of. */
import { Duration, Stack } from 'aws-cdk-lib';
import type { RestApiBase } from 'aws-cdk-lib/aws-apigateway';
import { MathExpression, Metric, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import type { Api } from '#infra/gateway/apis.ts';
import type { Data } from '#infra/stack/data.ts';
import type { MetricName } from '#shared/core/metrics.ts';

export const PERIOD = Duration.minutes(5);

/** A metric that the platform measures itself: see `shared/core/metrics.ts`. */
export const own = (scope: Construct, metricName: MetricName, statistic: string, dimensionsMap = {}): Metric =>
  new Metric({ namespace: Stack.of(scope).stackName, metricName, statistic, dimensionsMap, period: PERIOD });

/** 5xx answers of an API in percent, as soon as there are five: one in the night is no alarm. */
export function failureRate(name: Api['name'], api: RestApiBase): MathExpression {
  const [failures, calls] = [`${name}Failures`, `${name}Calls`];
  return new MathExpression({
    expression: `IF(${failures} >= 5, 100 * ${failures} / ${calls}, 0)`,
    usingMetrics: {
      [failures]: api.metricServerError({ statistic: Stats.SUM, period: PERIOD }),
      [calls]: api.metricCount({ statistic: Stats.SUM, period: PERIOD }),
    },
    period: PERIOD,
    label: 'Failures, %',
  });
}

/**
 * Requests that DynamoDB refused because they exceed what a partition or the account takes: of the table and its
 * indexes.
 */
export function tableThrottles(data: Data): MathExpression {
  const ofTable = ['ReadThrottleEvents', 'WriteThrottleEvents'].map(name => data.tableMetric(name));
  const ofIndexes = data.indexNames.map(index => data.tableMetric('WriteThrottleEvents', index));
  const metrics = [...ofTable, ...ofIndexes];
  return new MathExpression({
    expression: 'SUM(METRICS())',
    usingMetrics: Object.fromEntries(metrics.map((metric, i) => [`m${i}`, metric])),
    period: PERIOD,
    label: 'Throttled requests',
  });
}

/** Of all functions of the account in the region, which is the limit that they share. */
export const functionThrottles = (): Metric =>
  new Metric({ namespace: 'AWS/Lambda', metricName: 'Throttles', statistic: Stats.SUM, period: PERIOD });

export const waiting = (queue: IQueue): Metric =>
  queue.metricApproximateNumberOfMessagesVisible({ statistic: Stats.MAXIMUM, period: PERIOD });

export const oldest = (queue: IQueue): Metric =>
  queue.metricApproximateAgeOfOldestMessage({ statistic: Stats.MAXIMUM, period: PERIOD });
