/** Alarms of user-visible problems. `docs/operations/runbooks` has a runbook per kind. */
import { ArnFormat, Stack } from 'aws-cdk-lib';
import type { SpecRestApi } from 'aws-cdk-lib/aws-apigateway';
import { Alarm, ComparisonOperator, type IMetric, Stats, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { FilterPattern, MetricFilter } from 'aws-cdk-lib/aws-logs';
import { type ITopic, Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import { Construct } from 'constructs';
import type { Api } from '#infra/gateway/apis.ts';
import { settingsOf } from '#infra/settings/settingsOf.ts';
import type { Resources } from '#infra/stack/resources.ts';
import type { SocketApi } from '#infra/stack/socketApi.ts';
import type { Operation } from '#shared/api/operations/operations.ts';
import type { Consumer } from '#shared/events/consumers/consumer.ts';
import { QUEUE_NAMES, type QueueName } from '#shared/storage/queues/queueSettings.ts';
import {
  failureRate,
  functionThrottles,
  oldest,
  own,
  PERIOD,
  pushFailureRate,
  socketFailureRate,
  tableThrottles,
  waiting,
} from './alarmMetrics.ts';

/** Kinds of alarms, named like their runbooks, with their impact on users. */
export const ALARM_KINDS = {
  failures: 'Callers receive 5xx responses: messages are not sent, pages do not load.',
  latency: 'Responses take seconds: chats feel slow, and clients begin to time out.',
  refusals: "The gateway returns 429 for calls within the callers' rate limits.",
  'dead-letter-queues': 'A job crashed its function on every attempt. It stays unprocessed until it is redriven.',
  'dead-letters': 'A change or a job failed on every attempt, its dead letter is stored, and its effect is missing.',
  'stream-age': 'Processing after writes is late: replies of bots, lists, counts and search.',
  'queue-age': 'Jobs are late: deliveries, timers, indexing, tables or deletions, by queue.',
  'schedule-failed': 'A scheduled run fails: overdue timers are not enqueued, or deleted data is not swept.',
  throttles: 'Lambda or DynamoDB throttles the platform: callers receive 429, and jobs are late.',
  'timers-late': 'Scheduled messages, recurring events and time-outs fire minutes late.',
  pushes: 'Open chats and inboxes lose their connections, because frames cannot be sent to them.',
  breakers: 'Many endpoints of bots are down concurrently. The network path to them may be the cause.',
  totals: 'A count of files or bytes, which quotas and bills use, differed from the stored data.',
  canary: 'The canary sent a message to a bot and received no reply in time.',
} as const;

export type AlarmKind = keyof typeof ALARM_KINDS;

const RUNBOOKS = 'docs/operations/runbooks';
/** Shown in the subject, which SNS limits to 100 characters. */
const DISPLAY_NAME = 'Parley';

/** Maximum age of the oldest job in minutes: several times the normal duration of its retries. */
const OLDEST_MINUTES: Record<QueueName, number> = {
  deliveries: 5,
  timers: 5,
  code: 10,
  pushes: 5,
  connections: 5,
  assignments: 5,
  uploads: 10,
  indexing: 30,
  rows: 45,
  tableJobs: 60,
  snapshots: 120,
  sweeps: 120,
  // Parts of a large workspace are processed sequentially.
  transfers: 120,
  // A check may be postponed by 15 minutes.
  totals: 120,
};

/** Users wait for these. The age of other queues shows whether their jobs are late. */
const URGENT_QUEUES: readonly QueueName[] = ['deliveries', 'timers', 'code', 'pushes'];
const isUrgent = ({ trigger }: Consumer) =>
  'stream' in trigger || ('queue' in trigger && URGENT_QUEUES.includes(trigger.queue));

interface Watched {
  socket: SocketApi;
  resources: Resources;
  apis: readonly { api: Api; rest: SpecRestApi }[];
  consumers: readonly { consumer: Consumer; function: LambdaFunction }[];
  hasCanary: boolean;
}

interface Condition {
  metric: IMetric;
  threshold: number;
  periods?: number;
  isMissingBad?: boolean;
}

export class Alarms extends Construct {
  readonly #action: SnsAction;
  /** Alarms on 5xx responses, which roll back a gradual rollout. */
  readonly failures: Alarm[];

  constructor(scope: Construct, topic: ITopic, watched: Watched) {
    super(scope, 'Alarms');
    this.#action = new SnsAction(topic);
    this.failures = [...this.#watchApis(watched), this.#watchConnections(watched)];
    this.#watchConsumers(watched);
    this.#watchQueues(watched);
    this.#watchServices(watched);
    if (watched.hasCanary) {
      this.#add('canary', 'failed', { metric: own(this, 'canaryFailures', Stats.SUM), threshold: 1, periods: 2 });
      this.#add('canary', 'silent', {
        metric: own(this, 'canaryMs', Stats.SAMPLE_COUNT),
        threshold: 0,
        periods: 12,
        isMissingBad: true,
      });
      this.#add('canary', 'slow', { metric: own(this, 'canaryMs', 'p50'), threshold: 5_000, periods: 3 });
    }
  }

  #watchApis({ apis, resources }: Watched): Alarm[] {
    return apis.map(({ api: { name }, rest }) => {
      const failures = this.#add('failures', name, { metric: failureRate(name, rest), threshold: 1, periods: 2 });
      const api: Operation['api'] = name === 'api' ? 'platform' : name;
      this.#add('latency', name, { metric: own(this, 'latencyMs', 'p95', { api }), threshold: 3_000, periods: 3 });
      const refusals = this.#countLogged('refusals', name, resources, ['errorType', 'THROTTLED']);
      this.#add('refusals', name, { metric: refusals, threshold: 100, periods: 2 });
      return failures;
    });
  }

  #watchConnections({ socket }: Watched): Alarm {
    this.#add('pushes', 'failed', { metric: pushFailureRate(this), threshold: 10, periods: 2 });
    return this.#add('failures', 'socket', { metric: socketFailureRate(socket), threshold: 1, periods: 2 });
  }

  /** Counts requests in the access log, because API Gateway's metrics do not separate them from other errors. */
  #countLogged(what: string, name: Api['name'], { logs }: Resources, [field, value]: [string, string]): IMetric {
    return new MetricFilter(this, `Logged-${what}-${name}`, {
      logGroup: logs.accessLogOf(name),
      filterPattern: FilterPattern.stringValue(`$.${field}`, '=', value),
      metricNamespace: Stack.of(this).stackName,
      metricName: `${what}-${name}`,
    }).metric({ statistic: Stats.SUM, period: PERIOD });
  }

  #watchConsumers({ consumers }: Watched): void {
    for (const { consumer, function: target } of consumers) {
      if ('stream' in consumer.trigger) {
        const metric = target.metric('IteratorAge', { statistic: Stats.MAXIMUM, period: PERIOD });
        this.#add('stream-age', consumer.name, { metric, threshold: 60_000 });
      }
      if ('everyMinutes' in consumer.trigger)
        this.#add('schedule-failed', consumer.name, {
          metric: target.metricErrors({ statistic: Stats.SUM, period: PERIOD }),
          threshold: 1,
        });
    }
  }

  #watchQueues({ resources: { queues } }: Watched): void {
    for (const name of QUEUE_NAMES) {
      const queue = queues.named[name];
      this.#add('queue-age', name, { metric: oldest(queue), threshold: OLDEST_MINUTES[name] * 60 });
      this.#add('dead-letter-queues', name, { metric: waiting(queue.deadLetterQueue!.queue), threshold: 1 });
    }
    this.#add('dead-letter-queues', 'changes', { metric: waiting(queues.failedChanges), threshold: 1 });
  }

  #watchServices({ apis, consumers, resources }: Watched): void {
    const { data } = resources;
    this.#add('dead-letters', 'stored', { metric: own(this, 'deadLetters', Stats.SUM), threshold: 1 });
    this.#add('timers-late', 'fired', { metric: own(this, 'timerLateMs', 'p90'), threshold: 60_000, periods: 2 });
    this.#add('breakers', 'opened', { metric: own(this, 'breakersOpened', Stats.SUM), threshold: 20, periods: 2 });
    this.#add('totals', 'wrong', { metric: own(this, 'totalsWrong', Stats.SUM), threshold: 1 });
    const throttles = functionThrottles(
      apis.map(({ api: { name } }) => this.#countLogged('throttled', name, resources, ['lambdaStatus', '429'])),
      consumers.filter(({ consumer }) => isUrgent(consumer)).map(each => each.function),
    );
    this.#add('throttles', 'functions', { metric: throttles, threshold: 10, periods: 2 });
    this.#add('throttles', 'table', { metric: tableThrottles(data), threshold: 100, periods: 2 });
    this.#add('throttles', 'table-errors', { metric: data.tableMetric('SystemErrors'), threshold: 10 });
  }

  #add(kind: AlarmKind, what: string, { metric, threshold, periods = 1, isMissingBad = false }: Condition): Alarm {
    const alarm = new Alarm(this, `${kind}-${what}`, {
      alarmName: `${Stack.of(this).stackName}-${kind}-${what}`,
      alarmDescription: `${ALARM_KINDS[kind]} What to do: ${RUNBOOKS}/${kind}.md (${what})`,
      metric,
      threshold,
      evaluationPeriods: periods,
      comparisonOperator: isMissingBad
        ? ComparisonOperator.LESS_THAN_OR_EQUAL_TO_THRESHOLD
        : ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
      treatMissingData: isMissingBad ? TreatMissingData.BREACHING : TreatMissingData.NOT_BREACHING,
    });
    alarm.addAlarmAction(this.#action);
    alarm.addOkAction(this.#action);
    return alarm;
  }
}

export function addAlarmTopic(scope: Construct): ITopic | undefined {
  const { alarmEmail, alarmTopic } = settingsOf(scope);
  if (alarmTopic) return Topic.fromTopicArn(scope, 'AlarmTopic', alarmTopic);
  if (!alarmEmail) return undefined;
  const topic = new Topic(scope, 'AlarmTopic', { displayName: DISPLAY_NAME, enforceSSL: true });
  topic.addSubscription(new EmailSubscription(alarmEmail));
  const { account, stackName } = Stack.of(scope);
  const alarms = Stack.of(scope).formatArn({
    service: 'cloudwatch',
    resource: 'alarm',
    resourceName: `${stackName}-*`,
    arnFormat: ArnFormat.COLON_RESOURCE_NAME,
  });
  // The statement of `enforceSSL` replaces the default policy, which lets services of the account publish.
  topic.addToResourcePolicy(
    new PolicyStatement({
      principals: [new ServicePrincipal('cloudwatch.amazonaws.com')],
      actions: ['sns:Publish'],
      resources: [topic.topicArn],
      conditions: { StringEquals: { 'aws:SourceAccount': account }, ArnLike: { 'aws:SourceArn': alarms } },
    }),
  );
  return topic;
}
