/** The stack that one `cdk deploy` creates. */
import { CfnOutput, Lazy, Stack, type StackProps } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import * as consumers from '#functions/events/index.ts';
import { apis, chatApi, platformApi, webhookApi } from '#infra/gateway/apis.ts';
import { parseBaseUrl } from '#infra/operator/parseBaseUrl.ts';
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
    const gatewayAccount = new GatewayAccount(this, 'GatewayAccount');
    const firewallArn = firewallFromContext(this);
    const chat = new ApiStack(this, 'Chat', { api: chatApi, resources, firewallArn });
    const platform = new ApiStack(this, 'Platform', { api: platformApi, resources, firewallArn });
    const webhook = new ApiStack(this, 'Webhook', { api: webhookApi, resources, firewallArn });
    for (const api of [chat, platform, webhook]) api.node.addDependency(gatewayAccount);

    const webhookBaseUrl = webhookBaseUrlFromContext(this) ?? webhook.baseUrl;
    const webhookAddresses = { [VARIABLES.chatBaseUrl]: chat.baseUrl, [VARIABLES.webhookBaseUrl]: webhookBaseUrl };
    for (const consumer of Object.values(consumers)) {
      // An integration is told its address as it is registered, and its code where all have theirs.
      const isTold = 'callsEndpoints' in consumer || 'code' in consumer;
      addConsumer(this, consumer, resources, isTold ? webhookAddresses : {});
    }

    const operations = apis.flatMap(api => api.operations);
    for (const group of new Set(operations.map(each => each.group))) {
      new GroupStack(this, `${group}-functions`, {
        operations: operations.filter(each => each.group === group),
        resources,
        variables: {
          ...addressesFor(group, { chat: chat.baseUrl, platform: platform.baseUrl, webhook: webhookBaseUrl }),
          ...requestLimitsFromContext(this),
          ...(group === 'admin' ? workspaceCreationFromContext(this) : {}),
        },
      });
    }

    new CfnOutput(this, 'ChatBaseUrl', { value: chat.baseUrl });
    new CfnOutput(this, 'ApiBaseUrl', { value: platform.baseUrl });
    new CfnOutput(this, 'WebhookBaseUrl', { value: webhookBaseUrl });
    new CfnOutput(this, 'ChatApiId', { value: chat.restApiId });
    new CfnOutput(this, 'PlatformApiId', { value: platform.restApiId });
    new CfnOutput(this, 'WebhookApiId', { value: webhook.restApiId });
    new CfnOutput(this, 'TableName', { value: data.table.tableName });
    new CfnOutput(this, 'BucketName', { value: data.bucket.bucketName });
  }
}

/** The base addresses that a group's answers and calls contain: those of webhooks, or of public files. */
function addressesFor(
  group: string,
  { chat, platform, webhook }: Record<'chat' | 'platform' | 'webhook', string>,
): Record<string, string> {
  if (group === 'files' || group === 'chat') return { [VARIABLES.apiBaseUrl]: platform };
  if (group !== 'admin' && group !== 'botChat') return {};
  return { [VARIABLES.chatBaseUrl]: chat, [VARIABLES.webhookBaseUrl]: webhook };
}

/** A domain of the operator's, by the context `webhookBaseUrl`, which leads to the webhook API. @throws when it is no address */
function webhookBaseUrlFromContext(scope: Construct): string | undefined {
  const given: string | undefined = scope.node.tryGetContext('webhookBaseUrl');
  return given ? parseBaseUrl(given) : undefined;
}
