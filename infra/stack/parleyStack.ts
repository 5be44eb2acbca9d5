/** Everything that one `cdk deploy` makes. */
import { CfnOutput, Duration, Stack, type StackProps } from 'aws-cdk-lib';
import { Rule, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction as LambdaTarget } from 'aws-cdk-lib/aws-events-targets';
import { FilterCriteria, StartingPosition } from 'aws-cdk-lib/aws-lambda';
import { DynamoEventSource, SqsDlq, SqsEventSource } from 'aws-cdk-lib/aws-lambda-event-sources';
import type { Construct } from 'constructs';
import * as reactions from '#functions/events/index.ts';
import { VARIABLES } from '#shared/environment.ts';
import type { Reaction } from '#shared/consumers/consumer.ts';
import { InterfaceApi, OperationFunctions } from './api.ts';
import { chatInterface, platformInterface } from '#infra/gateway/apis.ts';
import { OperationFunction, QUEUE_VARIABLES } from './lambdaFunction.ts';
import { QUEUES } from './queueSettings.ts';
import { Storage } from './data.ts';

export class ParleyStack extends Stack {
  constructor(scope: Construct, id: string, props: StackProps & { isEphemeral: boolean }) {
    super(scope, id, props);
    const storage = new Storage(this, 'Storage', props);
    for (const reaction of Object.values(reactions)) addReaction(this, reaction, storage);
    const chat = new InterfaceApi(this, 'Chat', { api: chatInterface, storage });
    const platform = new InterfaceApi(this, 'Platform', { api: platformInterface, storage });
    const operations = [...chatInterface.operations, ...platformInterface.operations];
    for (const folder of new Set(operations.map(each => each.folder))) {
      new OperationFunctions(this, `${folder}-functions`, {
        operations: operations.filter(each => each.folder === folder),
        storage,
        variables: variablesOf(folder, chat.baseUrl, platform.baseUrl),
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
const variablesOf = (folder: string, chatBaseUrl: string, apiBaseUrl: string): Record<string, string> => {
  if (folder === 'chat' || folder === 'tables') return {};
  return folder === 'files' ? { [VARIABLES.apiBaseUrl]: apiBaseUrl } : { [VARIABLES.chatBaseUrl]: chatBaseUrl };
};

/** How long a reaction may take; and the queue that starts it, which it can have its job come again from. */
function settingsOf({ trigger }: Reaction, storage: Storage) {
  if (!('queue' in trigger)) return { timeout: Duration.minutes(5) };
  return {
    timeout: Duration.seconds(QUEUES[trigger.queue].timeoutSeconds),
    variables: { [QUEUE_VARIABLES[trigger.queue]]: storage.queues[trigger.queue].queueUrl },
  };
}

function addReaction(scope: Construct, reaction: Reaction, storage: Storage): void {
  const { function: target } = new OperationFunction(scope, reaction.name, {
    access: reaction,
    storage,
    ...('memoryMb' in reaction && reaction.memoryMb !== undefined ? { memoryMb: reaction.memoryMb } : {}),
    ...settingsOf(reaction, storage),
  });
  if ('queue' in reaction.trigger) {
    target.addEventSource(new SqsEventSource(storage.queues[reaction.trigger.queue], { batchSize: 1 }));
    return;
  }
  if ('everyMinutes' in reaction.trigger) {
    const schedule = Schedule.rate(Duration.minutes(reaction.trigger.everyMinutes));
    new Rule(scope, `${reaction.name}-schedule`, { schedule, targets: [new LambdaTarget(target)] });
    return;
  }
  target.addEventSource(
    new DynamoEventSource(storage.table, {
      startingPosition: StartingPosition.TRIM_HORIZON,
      batchSize: 100,
      filters: reaction.trigger.stream.map(filter => FilterCriteria.filter(filter)),
      // A change that always fails holds up its shard: halve its batch until it is alone, repeat, then park it.
      bisectBatchOnError: true,
      retryAttempts: 10,
      maxRecordAge: Duration.hours(6),
      onFailure: new SqsDlq(storage.failedChanges),
    }),
  );
}
