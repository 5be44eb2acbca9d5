import { Duration } from 'aws-cdk-lib';
import { Rule, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction as LambdaTarget } from 'aws-cdk-lib/aws-events-targets';
import { FilterCriteria, type Function as Made, StartingPosition } from 'aws-cdk-lib/aws-lambda';
import { DynamoEventSource, SqsDlq, SqsEventSource } from 'aws-cdk-lib/aws-lambda-event-sources';
import type { Construct } from 'constructs';
import { accessOfConsumer } from '#infra/bundle/functionAccess.ts';
import { settingsOf } from '#infra/settings/settingsOf.ts';
import { VARIABLES } from '#shared/core/environment.ts';
import type { Consumer } from '#shared/events/consumers/consumer.ts';
import { STREAM_BATCH } from '#shared/events/consumers/streamBatch.ts';
import { QUEUES } from '#shared/storage/queues/queueSettings.ts';
import { LambdaFunction } from './lambdaFunction.ts';
import { deliveryLimitVariables } from './operatorLimits.ts';
import { QUEUE_VARIABLES } from './queueVariables.ts';
import type { Resources } from './resources.ts';

/** Average batches per check. Detects an error within a day of ordinary use, at 1 % of the cost of the counters. */
const TOTALS_CHECKED_ONE_IN = 500;

const DEFAULT_TIMEOUT = Duration.minutes(5);
const MAX_CONCURRENCY = 1_000;

export function addConsumer(
  scope: Construct,
  consumer: Consumer,
  resources: Resources,
  variables: Record<string, string>,
): Made {
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
    return target;
  }
  if ('everyMinutes' in trigger) {
    const { canaryMinutes } = settingsOf(scope);
    const minutes = 'isOptional' in consumer ? (canaryMinutes ?? trigger.everyMinutes) : trigger.everyMinutes;
    const schedule = Schedule.rate(Duration.minutes(minutes));
    new Rule(scope, `${name}-schedule`, { schedule, targets: [new LambdaTarget(target)] });
    return target;
  }
  target.addEventSource(
    new DynamoEventSource(data.table, {
      startingPosition: StartingPosition.TRIM_HORIZON,
      batchSize: STREAM_BATCH,
      ...(trigger.windowSeconds > 0 ? { maxBatchingWindow: Duration.seconds(trigger.windowSeconds) } : {}),
      filters: trigger.stream.map(filter => FilterCriteria.filter(filter)),
      ...(trigger.concurrentBatches > 1 ? { parallelizationFactor: trigger.concurrentBatches } : {}),
      // A change that always fails blocks its shard: bisect its batch until it is alone, retry, then store its dead
      // letter.
      bisectBatchOnError: true,
      retryAttempts: 10,
      maxRecordAge: Duration.hours(6),
      onFailure: new SqsDlq(queues.failedChanges),
    }),
  );
  return target;
}

function queueSettingsOf(
  scope: Construct,
  { trigger, callsEndpoints, sends }: Consumer,
  { queues }: Resources,
  variables: Record<string, string>,
) {
  const sampled: Record<string, string> = sends?.includes('totals')
    ? { [VARIABLES.totalsCheckedOneIn]: String(TOTALS_CHECKED_ONE_IN) }
    : {};
  if (!('queue' in trigger)) return { timeout: DEFAULT_TIMEOUT, variables: { ...variables, ...sampled } };
  return {
    timeout: Duration.seconds(QUEUES[trigger.queue].timeoutSeconds),
    variables: {
      ...variables,
      [QUEUE_VARIABLES[trigger.queue]]: queues.named[trigger.queue].queueUrl,
      ...(callsEndpoints || sends?.includes('deliveries') ? deliveryLimitVariables(scope) : {}),
    },
  };
}
