/** The function of a consumer, with the event source that invokes it. */
import { Duration } from 'aws-cdk-lib';
import { Rule, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction as LambdaTarget } from 'aws-cdk-lib/aws-events-targets';
import { FilterCriteria, StartingPosition } from 'aws-cdk-lib/aws-lambda';
import { DynamoEventSource, SqsDlq, SqsEventSource } from 'aws-cdk-lib/aws-lambda-event-sources';
import type { Construct } from 'constructs';
import type { Consumer } from '#shared/consumers/consumer.ts';
import { STREAM_BATCH } from '#shared/consumers/settings.ts';
import { QUEUES } from '#shared/queues/settings.ts';
import { accessOfConsumer } from './access.ts';
import { LambdaFunction } from './lambdaFunction.ts';
import { deliveryLimitsFromContext } from './operatorLimits.ts';
import { QUEUE_VARIABLES } from './queueVariables.ts';
import type { Resources } from './resources.ts';

const DEFAULT_TIMEOUT = Duration.minutes(5);
/** The most that an event source takes. */
const MAX_CONCURRENCY = 1_000;

export function addConsumer(
  scope: Construct,
  consumer: Consumer,
  resources: Resources,
  variables: Record<string, string>,
): void {
  const { name, trigger } = consumer;
  const { data, queues, reservedConcurrency } = resources;
  const reserved = 'queue' in trigger && trigger.queue === 'deliveries' ? reservedConcurrency?.deliveries : undefined;
  const { function: target } = new LambdaFunction(scope, name, {
    access: accessOfConsumer(consumer),
    resources,
    ...('memoryMb' in consumer && consumer.memoryMb !== undefined ? { memoryMb: consumer.memoryMb } : {}),
    ...queueSettingsOf(scope, consumer, resources, variables),
    reservedConcurrency: reserved,
  });

  if ('queue' in trigger) {
    target.addEventSource(
      new SqsEventSource(queues.named[trigger.queue], {
        batchSize: 1,
        maxConcurrency: reserved ? Math.min(reserved, MAX_CONCURRENCY) : QUEUES[trigger.queue].maxConcurrency,
      }),
    );
    return;
  }
  if ('everyMinutes' in trigger) {
    const schedule = Schedule.rate(Duration.minutes(trigger.everyMinutes));
    new Rule(scope, `${name}-schedule`, { schedule, targets: [new LambdaTarget(target)] });
    return;
  }
  target.addEventSource(
    new DynamoEventSource(data.table, {
      startingPosition: StartingPosition.TRIM_HORIZON,
      batchSize: STREAM_BATCH,
      ...(trigger.windowSeconds > 0 ? { maxBatchingWindow: Duration.seconds(trigger.windowSeconds) } : {}),
      filters: trigger.stream.map(filter => FilterCriteria.filter(filter)),
      // A change that always fails blocks its shard: bisect its batch until it is alone, retry, then park it.
      bisectBatchOnError: true,
      retryAttempts: 10,
      maxRecordAge: Duration.hours(6),
      onFailure: new SqsDlq(queues.failedChanges),
    }),
  );
}

/** A queue decides its consumer's timeout, and the consumer knows the queue's URL to postpone a job. */
function queueSettingsOf(
  scope: Construct,
  { trigger, callsEndpoints, sends }: Consumer,
  { queues }: Resources,
  variables: Record<string, string>,
) {
  if (!('queue' in trigger)) return { timeout: DEFAULT_TIMEOUT, variables };
  return {
    timeout: Duration.seconds(QUEUES[trigger.queue].timeoutSeconds),
    variables: {
      ...variables,
      [QUEUE_VARIABLES[trigger.queue]]: queues.named[trigger.queue].queueUrl,
      ...(callsEndpoints || sends?.includes('deliveries') ? deliveryLimitsFromContext(scope) : {}),
    },
  };
}
