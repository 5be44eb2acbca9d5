import { Duration, Stack } from 'aws-cdk-lib';
import type { RestApiBase } from 'aws-cdk-lib/aws-apigateway';
import { type IMetric, MathExpression, Metric, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import type { Api } from '#infra/gateway/apis.ts';
import type { Data } from '#infra/stack/data.ts';
import { SOCKET_STAGE, type SocketAddress } from '#infra/stack/socketAddress.ts';
import type { MetricName } from '#shared/core/metrics.ts';

export const PERIOD = Duration.minutes(5);

export const own = (scope: Construct, metricName: MetricName, statistic: string, dimensionsMap = {}): Metric =>
  new Metric({ namespace: Stack.of(scope).stackName, metricName, statistic, dimensionsMap, period: PERIOD });

/** Returns an API's 5xx rate in percent, or 0 below five 5xx responses. */
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

export const ofSocket = ({ apiId }: SocketAddress, metricName: string): Metric =>
  new Metric({
    namespace: 'AWS/ApiGateway',
    metricName,
    dimensionsMap: { ApiId: apiId, Stage: SOCKET_STAGE },
    statistic: Stats.SUM,
    period: PERIOD,
  });

/** Returns failed invocations per connection in percent, or 0 below five failures. */
export const socketFailureRate = (socket: SocketAddress): MathExpression =>
  new MathExpression({
    expression: 'IF(socketFailures >= 5, 100 * socketFailures / socketConnects, 0)',
    usingMetrics: {
      socketFailures: ofSocket(socket, 'IntegrationError'),
      socketConnects: ofSocket(socket, 'ConnectCount'),
    },
    period: PERIOD,
    label: 'Failures, %',
  });

/** Returns frames that could not be sent in percent, or 0 below twenty of them. */
export const pushFailureRate = (scope: Construct): MathExpression =>
  new MathExpression({
    expression: 'IF(failedPushes >= 20, 100 * failedPushes / allPushes, 0)',
    usingMetrics: {
      failedPushes: own(scope, 'pushesFailed', Stats.SUM),
      allPushes: own(scope, 'pushes', Stats.SUM),
    },
    period: PERIOD,
    label: 'Failed pushes, %',
  });

export function tableThrottles(data: Data): MathExpression {
  const ofTable = ['ReadThrottleEvents', 'WriteThrottleEvents'].map(name => data.tableMetric(name));
  const ofIndexes = data.indexNames.map(index => data.tableMetric('WriteThrottleEvents', index));
  return sumOf([...ofTable, ...ofIndexes], 'Throttled requests');
}

/**
 * Returns throttled invocations of calls and of urgent consumers. An alarm permits ten metrics and no search, so
 * throttled calls of all operations come from the access logs.
 */
export function functionThrottles(calls: readonly IMetric[], consumers: readonly IFunction[]): MathExpression {
  const ofConsumers = consumers.map(each => each.metricThrottles({ statistic: Stats.SUM, period: PERIOD }));
  return sumOf([...calls, ...ofConsumers], 'Throttled invocations');
}

const sumOf = (metrics: readonly IMetric[], label: string): MathExpression =>
  new MathExpression({
    expression: 'SUM(METRICS())',
    usingMetrics: Object.fromEntries(metrics.map((metric, i) => [`m${i}`, metric])),
    period: PERIOD,
    label,
  });

export const waiting = (queue: IQueue): Metric =>
  queue.metricApproximateNumberOfMessagesVisible({ statistic: Stats.MAXIMUM, period: PERIOD });

export const oldest = (queue: IQueue): Metric =>
  queue.metricApproximateAgeOfOldestMessage({ statistic: Stats.MAXIMUM, period: PERIOD });
