/** The stack that one `cdk deploy` creates. */
import { CfnOutput, Lazy, Stack, type StackProps } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import * as consumers from '#functions/events/index.ts';
import { chatApi, platformApi } from '#infra/gateway/apis.ts';
import { VARIABLES } from '#shared/environment.ts';
import { addConsumer } from './addConsumer.ts';
import { ApiStack } from './apiStack.ts';
import { Code } from './code.ts';
import { reservedConcurrencyFromContext } from './concurrency.ts';
import { Data } from './data.ts';
import { firewallFromContext } from './firewall.ts';
import { GatewayAccount } from './gatewayAccount.ts';
import { GroupStack } from './groupStack.ts';
import { managedListenersFromContext } from './listeners.ts';
import { modelFromContext } from './model.ts';
import { requestLimitsFromContext, workspaceCreationFromContext } from './operatorLimits.ts';
import { Queues } from './queues.ts';
import type { Resources } from './resources.ts';
import { Sealing } from './sealing.ts';
import { searchFromContext } from './search.ts';

export class ParleyStack extends Stack {
  constructor(scope: Construct, id: string, props: StackProps & { isEphemeral: boolean }) {
    super(scope, id, props);
    const queues = new Queues(this, 'Queues');
    const data = new Data(this, 'Data', { isEphemeral: props.isEphemeral, uploads: queues.uploads });
    const resources: Resources = {
      data,
      queues,
      sealing: new Sealing(this, 'Sealing', props),
      search: searchFromContext(this),
      model: modelFromContext(this),
      code: new Code(this, 'Code', { apiBaseUrl: Lazy.string({ produce: () => platform.baseUrl }) }),
      managedListeners: managedListenersFromContext(this),
      reservedConcurrency: reservedConcurrencyFromContext(this),
      arePrivateEndpointsAllowed: this.node.tryGetContext('allowPrivateEndpoints') === 'true',
    };
    for (const consumer of Object.values(consumers)) addConsumer(this, consumer, resources);

    const gatewayAccount = new GatewayAccount(this, 'GatewayAccount');
    const firewallArn = firewallFromContext(this);
    const chat = new ApiStack(this, 'Chat', { api: chatApi, resources, firewallArn });
    const platform = new ApiStack(this, 'Platform', { api: platformApi, resources, firewallArn });
    for (const api of [chat, platform]) api.node.addDependency(gatewayAccount);

    const operations = [...chatApi.operations, ...platformApi.operations];
    for (const group of new Set(operations.map(each => each.group))) {
      new GroupStack(this, `${group}-functions`, {
        operations: operations.filter(each => each.group === group),
        resources,
        variables: {
          ...addressesFor(group, chat.baseUrl, platform.baseUrl),
          ...requestLimitsFromContext(this),
          ...(group === 'admin' ? workspaceCreationFromContext(this) : {}),
        },
      });
    }

    new CfnOutput(this, 'ChatBaseUrl', { value: chat.baseUrl });
    new CfnOutput(this, 'ApiBaseUrl', { value: platform.baseUrl });
    new CfnOutput(this, 'ChatApiId', { value: chat.restApiId });
    new CfnOutput(this, 'PlatformApiId', { value: platform.restApiId });
    new CfnOutput(this, 'TableName', { value: data.table.tableName });
    new CfnOutput(this, 'BucketName', { value: data.bucket.bucketName });
  }
}

/** The base addresses that a group's answers contain: those of webhooks, or of public files. */
const addressesFor = (group: string, chatBaseUrl: string, apiBaseUrl: string): Record<string, string> => {
  if (group === 'chat' || group === 'tables') return {};
  return group === 'files' ? { [VARIABLES.apiBaseUrl]: apiBaseUrl } : { [VARIABLES.chatBaseUrl]: chatBaseUrl };
};
