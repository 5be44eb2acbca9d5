/** Everything that one `cdk deploy` makes. */
import { CfnOutput, Duration, Stack, type StackProps } from 'aws-cdk-lib';
import { Rule, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction as LambdaTarget } from 'aws-cdk-lib/aws-events-targets';
import { FilterCriteria, StartingPosition } from 'aws-cdk-lib/aws-lambda';
import { DynamoEventSource, SqsDlq, SqsEventSource } from 'aws-cdk-lib/aws-lambda-event-sources';
import type { Construct } from 'constructs';
import * as consumers from '#functions/events/index.ts';
import { chatApi, platformApi } from '#infra/gateway/apis.ts';
import type { Consumer } from '#shared/consumers/consumer.ts';
import { VARIABLES } from '#shared/environment.ts';
import { InterfaceApi, OperationFunctions } from './api.ts';
import { Storage } from './data.ts';
import { OperationFunction, QUEUE_VARIABLES } from './lambdaFunction.ts';
import { QUEUES } from './queueSettings.ts';

export class ParleyStack extends Stack {
  constructor(scope: Construct, id: string, props: StackProps & { isEphemeral: boolean }) {
    super(scope, id, props);
    const storage = new Storage(this, 'Storage', props);
    for (const consumer of Object.values(consumers)) addConsumer(this, consumer, storage);
    const chat = new InterfaceApi(this, 'Chat', { api: chatApi, storage });
    const platform = new InterfaceApi(this, 'Platform', { api: platformApi, storage });
    const operations = [...chatApi.operations, ...platformApi.operations];
    for (const group of new Set(operations.map(each => each.group))) {
      new OperationFunctions(this, `${group}-functions`, {
        operations: operations.filter(each => each.group === group),
        storage,
        variables: variablesOf(group, chat.baseUrl, platform.baseUrl),
      });
    }

    new CfnOutput(this, 'ChatBaseUrl', { value: chat.baseUrl });
    new CfnOutput(this, 'ApiBaseUrl', { value: platform.baseUrl });
    new CfnOutput(this, 'ChatApiId', { value: chat.restApiId });
    new CfnOutput(this, 'PlatformApiId', { value: platform.restApiId });
    new CfnOutput(this, 'TableName', { value: storage.table.tableName });
    new CfnOutput(this, 'BucketName', { value: storage.bucket.bucketName });
  }
}

/** Where webhooks of integrations and public files are. */
const variablesOf = (group: string, chatBaseUrl: string, apiBaseUrl: string): Record<string, string> => {
  if (group === 'chat' || group === 'tables') return {};
  return group === 'files' ? { [VARIABLES.apiBaseUrl]: apiBaseUrl } : { [VARIABLES.chatBaseUrl]: chatBaseUrl };
};

/** How long a reaction may take; and the queue that starts it, which it can have its job come again from. */
function settingsOf({ trigger }: Consumer, storage: Storage) {
  if (!('queue' in trigger)) return { timeout: Duration.minutes(5) };
  return {
    timeout: Duration.seconds(QUEUES[trigger.queue].timeoutSeconds),
    variables: { [QUEUE_VARIABLES[trigger.queue]]: storage.queues[trigger.queue].queueUrl },
  };
}

function addConsumer(scope: Construct, consumer: Consumer, storage: Storage): void {
  const { function: target } = new OperationFunction(scope, consumer.name, {
    access: consumer,
    storage,
    ...('memoryMb' in consumer && consumer.memoryMb !== undefined ? { memoryMb: consumer.memoryMb } : {}),
    ...settingsOf(consumer, storage),
  });
  if ('queue' in consumer.trigger) {
    target.addEventSource(new SqsEventSource(storage.queues[consumer.trigger.queue], { batchSize: 1 }));
    return;
  }
  if ('everyMinutes' in consumer.trigger) {
    const schedule = Schedule.rate(Duration.minutes(consumer.trigger.everyMinutes));
    new Rule(scope, `${consumer.name}-schedule`, { schedule, targets: [new LambdaTarget(target)] });
    return;
  }
  target.addEventSource(
    new DynamoEventSource(storage.table, {
      startingPosition: StartingPosition.TRIM_HORIZON,
      batchSize: 100,
      filters: consumer.trigger.stream.map(filter => FilterCriteria.filter(filter)),
      // A change that always fails holds up its shard: halve its batch until it is alone, repeat, then park it.
      bisectBatchOnError: true,
      retryAttempts: 10,
      maxRecordAge: Duration.hours(6),
      onFailure: new SqsDlq(storage.failedChanges),
    }),
  );
}
