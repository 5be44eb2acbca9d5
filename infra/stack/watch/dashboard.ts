import { Duration, Stack } from 'aws-cdk-lib';
import type { SpecRestApi } from 'aws-cdk-lib/aws-apigateway';
import {
  Dashboard as CloudWatchDashboard,
  GraphWidget,
  type IMetric,
  MathExpression,
  type Metric,
  Stats,
  TextWidget,
} from 'aws-cdk-lib/aws-cloudwatch';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';
import type { Api } from '#infra/gateway/apis.ts';
import type { Resources } from '#infra/stack/resources.ts';
import type { SocketApi } from '#infra/stack/socketApi.ts';
import { globalName } from '#infra/stack/stackName.ts';
import type { Consumer } from '#shared/events/consumers/consumer.ts';
import { QUEUE_NAMES } from '#shared/storage/queues/queueSettings.ts';
import { failureRate, ofSocket, oldest, own, PERIOD, tableThrottles, waiting } from './alarmMetrics.ts';

interface Shown {
  socket: SocketApi;
  resources: Resources;
  apis: readonly { api: Api; rest: SpecRestApi }[];
  consumers: readonly { consumer: Consumer; function: LambdaFunction }[];
}

const THIRD = 8;
const HEIGHT = 6;

export function addDashboard(scope: Construct, { resources, socket, apis, consumers }: Shown): void {
  const { stackName, region } = Stack.of(scope);
  const graph = (title: string, left: IMetric[], right: IMetric[] = []) =>
    new GraphWidget({ title, left, right, width: THIRD, height: HEIGHT, leftYAxis: { min: 0 } });
  const named = (label: string, metric: Metric | MathExpression): IMetric => metric.with({ label });
  const mine = (...args: [Parameters<typeof own>[1], string, Record<string, string>?]) => own(scope, ...args);
  const heading = (markdown: string) => new TextWidget({ markdown, width: 3 * THIRD, height: 1 });
  const byFunction = (metric: string, statistic: string) =>
    new MathExpression({
      expression: `SEARCH('{AWS/Lambda,FunctionName} MetricName="${metric}" FunctionName="${stackName}-"', '${statistic}', 300)`,
      usingMetrics: {},
      label: '',
      searchRegion: region,
      period: PERIOD,
    });
  const latency = (['chat', 'platform', 'webhook'] as const).flatMap(api =>
    ['p50', 'p95'].map(statistic => named(`${api} ${statistic}`, mine('latencyMs', statistic, { api }))),
  );
  const { data } = resources;
  const streams = consumers.filter(({ consumer }) => 'stream' in consumer.trigger);

  const dashboard = new CloudWatchDashboard(scope, 'Dashboard', {
    dashboardName: globalName(stackName, 'dashboard'),
    defaultInterval: Duration.hours(3),
  });
  dashboard.addWidgets(
    heading('# Requests'),
    graph(
      'Calls',
      apis.map(({ api, rest }) => named(api.name, rest.metricCount({ period: PERIOD, statistic: Stats.SUM }))),
    ),
    graph(
      'Failures, %',
      apis.map(({ api, rest }) => named(api.name, failureRate(api.name, rest))),
    ),
    graph('Time to first byte, ms', latency),
    graph('Calls by operation', [byFunction('Invocations', 'Sum')]),
    graph('Milliseconds by operation, p95', [byFunction('Duration', 'p95')]),
    graph(
      'Event streams',
      [mine('listeners', Stats.SUM).with({ period: Duration.minutes(1) })],
      [named('canary, ms', mine('canaryMs', Stats.MAXIMUM))],
    ),
    graph(
      'Connections',
      [
        new MathExpression({
          expression: 'RUNNING_SUM(changes)',
          usingMetrics: { changes: mine('connections', Stats.SUM) },
          period: PERIOD,
          label: 'open, compared with the start of the graph',
        }),
      ],
      ['ConnectCount', 'ClientError', 'IntegrationError'].map(name => named(name, ofSocket(socket, name))),
    ),
    graph(
      'Pushes',
      [mine('pushes', Stats.SUM), mine('pushesFailed', Stats.SUM)],
      [named('age of the oldest, s', oldest(resources.queues.named.pushes))],
    ),
    heading('# Background work'),
    graph(
      'Deliveries',
      [mine('deliveries', Stats.SUM)],
      [...(['deliveryRetries', 'deliveriesFailed', 'breakersOpened'] as const).map(name => mine(name, Stats.SUM))],
    ),
    graph(
      'Age of the oldest job, s',
      QUEUE_NAMES.map(name => named(name, oldest(resources.queues.named[name]))),
    ),
    graph(
      'Age of the stream, ms',
      streams.map(({ consumer, function: target }) =>
        named(consumer.name, target.metric('IteratorAge', { statistic: Stats.MAXIMUM, period: PERIOD })),
      ),
    ),
    graph(
      'Dead letters and dead letters',
      [mine('deadLetters', Stats.SUM)],
      QUEUE_NAMES.map(name => named(name, waiting(resources.queues.named[name].deadLetterQueue!.queue))),
    ),
    graph('Timers late, ms', [named('p50', mine('timerLateMs', 'p50')), named('p99', mine('timerLateMs', 'p99'))]),
    graph('Files indexed', [mine('filesIndexed', Stats.SUM)], [mine('filesFailed', Stats.SUM)]),
    heading('# Infrastructure and cost'),
    graph(
      'Capacity units of the table',
      ['ConsumedWriteCapacityUnits', 'ConsumedReadCapacityUnits'].map(name => data.tableMetric(name)),
    ),
    graph('Throttled by Lambda and DynamoDB', [byFunction('Throttles', 'Sum'), tableThrottles(data)]),
    graph('Concurrent executions', [byFunction('ConcurrentExecutions', 'Maximum')]),
  );
}
