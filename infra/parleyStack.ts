/** Everything that one `cdk deploy` makes. */
import { CfnOutput, Duration, Stack, type StackProps } from 'aws-cdk-lib';
import { FilterCriteria, StartingPosition } from 'aws-cdk-lib/aws-lambda';
import { DynamoEventSource, SqsDlq, SqsEventSource } from 'aws-cdk-lib/aws-lambda-event-sources';
import type { Construct } from 'constructs';
import * as reactions from '../functions/events/index.ts';
import { VARIABLES } from '../shared/environment.ts';
import type { Reaction } from '../shared/reaction.ts';
import { InterfaceApi, OperationFunctions } from './interfaceApi.ts';
import { chatInterface, platformInterface } from './interfaces.ts';
import { OperationFunction } from './operationFunction.ts';
import { Storage, SWEEP_TIMEOUT } from './storage.ts';

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
        // Where the webhooks of a bot's integrations are.
        variables: folder === 'chat' ? {} : { [VARIABLES.chatBaseUrl]: chat.baseUrl },
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

function addReaction(scope: Construct, reaction: Reaction, storage: Storage): void {
  const { function: target } = new OperationFunction(scope, reaction.name, {
    access: reaction,
    storage,
    timeout: SWEEP_TIMEOUT,
  });
  if ('queue' in reaction.trigger) {
    target.addEventSource(new SqsEventSource(storage[reaction.trigger.queue], { batchSize: 1 }));
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
