import { CfnOutput, Lazy, Stack, type StackProps } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import * as consumers from '#functions/events/index.ts';
import * as socketRoutes from '#functions/socket/index.ts';
import { API_ROOT, type Api, chatApi, platformApi, webhookApi } from '#infra/gateway/apis.ts';
import { settingsOf } from '#infra/settings/settingsOf.ts';
import { addConsumer } from '#infra/stack/addConsumer.ts';
import { addRollout } from '#infra/stack/addRollout.ts';
import { ApiStack } from '#infra/stack/apiStack.ts';
import { ApiStage } from '#infra/stack/apiStage.ts';
import { Code } from '#infra/stack/codeAccess.ts';
import { Console, hasConsole } from '#infra/stack/consoleSite.ts';
import { Data } from '#infra/stack/data.ts';
import { addFirewall } from '#infra/stack/firewall.ts';
import { GatewayAccount } from '#infra/stack/gatewayAccount.ts';
import { functionOf, functionOfRoute, GroupStack } from '#infra/stack/groupStack.ts';
import { LambdaFunction } from '#infra/stack/lambdaFunction.ts';
import { Logs } from '#infra/stack/logGroups.ts';
import { modelOf } from '#infra/stack/modelAccess.ts';
import {
  callerVariables,
  originVariables,
  requestLimitVariables,
  workspaceCreationVariables,
} from '#infra/stack/operatorLimits.ts';
import { orderDeployment } from '#infra/stack/orderDeployment.ts';
import { Queues } from '#infra/stack/queues.ts';
import { recordSettings } from '#infra/stack/recordSettings.ts';
import { addConcurrencyOutputs, reservedConcurrencyOf } from '#infra/stack/reservedConcurrency.ts';
import type { Resources } from '#infra/stack/resources.ts';
import { Sealing } from '#infra/stack/sealingSecret.ts';
import { addSearch } from '#infra/stack/search.ts';
import { SocketApi } from '#infra/stack/socketApi.ts';
import { SocketStage } from '#infra/stack/socketStage.ts';
import { timeoutOf } from '#infra/stack/timeouts.ts';
import { addTracingPolicy } from '#infra/stack/tracing.ts';
import { Alarms, addAlarmTopic } from '#infra/stack/watch/alarms.ts';
import { addDashboard } from '#infra/stack/watch/dashboard.ts';
import { VARIABLES } from '#shared/core/environment.ts';

const CANARY_MINUTES = 5;

export class ParleyStack extends Stack {
  constructor(scope: Construct, id: string, props: StackProps) {
    const settings = settingsOf(scope);
    super(scope, id, { ...props, ...(settings.tags ? { tags: settings.tags } : {}) });
    recordSettings(this);
    const queues = new Queues(this, 'Queues');
    const logs = new Logs(this);
    const data = new Data(this, 'Data', { uploads: queues.uploads });
    const reservedConcurrency = reservedConcurrencyOf(this);
    const sealing = new Sealing(this, 'Sealing');
    const socket = new SocketApi(this, 'SocketApi');
    const resources: Resources = {
      data,
      logs,
      queues,
      sealing,
      search: addSearch(this),
      model: modelOf(this),
      code: new Code(this, 'Code', {
        apiBaseUrl: Lazy.string({ produce: () => platform.baseUrl }),
        kmsKey: sealing.kmsKey,
      }),
      socket,
      reservedConcurrency,
      settings,
      tracing: addTracingPolicy(this),
    };
    const chat = new ApiStack(this, 'ChatApi', { api: chatApi });
    const platform = new ApiStack(this, 'PlatformApi', { api: platformApi });
    const webhook = new ApiStack(this, 'WebhookApi', { api: webhookApi });

    const console = hasConsole(settings)
      ? new Console(this, 'Console', {
          apiBaseUrl: platform.baseUrl,
          chat,
          socket,
          contentBaseUrl: data.contentBaseUrl,
          uploadOrigin: `https://${data.bucket.bucketRegionalDomainName}`,
        })
      : undefined;
    const chatBaseUrl = console?.chatBaseUrl ?? chat.baseUrl;
    // `getBotWebchat` returns the tag of the widget.
    const widgetVariables = console && {
      [VARIABLES.consoleUrl]: console.url,
      [VARIABLES.mediaOrigins]: console.mediaOrigins.join(','),
    };
    const apiRoot = new LambdaFunction(this, API_ROOT, {
      access: { table: 'none' },
      resources,
      timeout: timeoutOf(false),
      deployedAs: `${platformApi.name}-${API_ROOT}`,
      variables: {
        ...originVariables(this),
        [VARIABLES.apiBaseUrl]: platform.baseUrl,
        [VARIABLES.chatBaseUrl]: chatBaseUrl,
        ...(console ? { [VARIABLES.consoleUrl]: console.url } : {}),
      },
    });

    const webhookBaseUrl = settings.webhookBaseUrl ?? webhook.baseUrl;
    const webhookAddresses = { [VARIABLES.chatBaseUrl]: chatBaseUrl, [VARIABLES.webhookBaseUrl]: webhookBaseUrl };
    const alarmTopic = addAlarmTopic(this);
    const canaryMinutes = settings.canaryMinutes ?? (alarmTopic ? CANARY_MINUTES : undefined);
    const wanted = Object.values(consumers).filter(each => canaryMinutes !== undefined || !('isOptional' in each));
    const watchedConsumers = wanted.map(consumer => {
      // These consumers pass the URLs to integrations or deployed code, or call them.
      const isTold = 'callsEndpoints' in consumer || 'code' in consumer || 'isOptional' in consumer;
      return { consumer, function: addConsumer(this, consumer, resources, isTold ? webhookAddresses : {}) };
    });
    const watched = { resources, socket, apis: [chat, platform, webhook], consumers: watchedConsumers };
    const alarms = alarmTopic && new Alarms(this, alarmTopic, { ...watched, hasCanary: canaryMinutes !== undefined });
    if (settings.dashboard === 'on') addDashboard(this, watched);

    const rollout = addRollout(this, alarms?.failures);
    const addresses = { chat: chatBaseUrl, platform: platform.baseUrl, webhook: webhookBaseUrl };
    const chatVariables = callerVariables(this, console?.origin);
    const functionsOf = (api: Api) =>
      [...new Set(api.operations.map(each => each.group))].map(
        group =>
          new GroupStack(this, `${group}-functions`, {
            functions: api.operations.filter(each => each.group === group).map(functionOf),
            resources,
            rollout,
            variables: {
              ...addressesFor(group, addresses),
              ...requestLimitVariables(this),
              ...(group === 'chat' ? chatVariables : {}),
              ...(group === 'admin' ? { ...workspaceCreationVariables(this), ...widgetVariables } : {}),
            },
          }),
      );
    const gatewayAccount = new GatewayAccount(this, 'GatewayAccount');
    const firewallArn = addFirewall(this);
    const published = Object.entries({ Chat: chat, Platform: platform, Webhook: webhook }).map(([id, stack]) => ({
      stack,
      stage: new ApiStage(this, id, { stack, resources, firewallArn }),
      functions: [gatewayAccount, ...functionsOf(stack.api), ...(stack === platform ? [apiRoot] : [])],
    }));
    const socketFunctions = new GroupStack(this, 'socket-functions', {
      functions: Object.values(socketRoutes).map(functionOfRoute),
      resources,
      rollout,
      variables: { ...addressesFor('chat', addresses), ...requestLimitVariables(this), ...chatVariables },
    });
    orderDeployment([
      ...published,
      {
        stack: socket,
        stage: new SocketStage(this, 'Socket', { api: socket, resources }),
        functions: [gatewayAccount, socketFunctions],
      },
    ]);

    new CfnOutput(this, 'ChatBaseUrl', { value: chatBaseUrl });
    new CfnOutput(this, 'ApiBaseUrl', { value: platform.baseUrl });
    new CfnOutput(this, 'WebhookBaseUrl', { value: webhookBaseUrl });
    new CfnOutput(this, 'ChatApiId', { value: chat.rest.restApiId });
    new CfnOutput(this, 'PlatformApiId', { value: platform.rest.restApiId });
    new CfnOutput(this, 'WebhookApiId', { value: webhook.rest.restApiId });
    addConcurrencyOutputs(this);
    new CfnOutput(this, 'TableName', { value: data.table.tableName });
    new CfnOutput(this, 'BucketName', { value: data.bucket.bucketName });
  }
}

function addressesFor(
  group: string,
  { chat, platform, webhook }: Record<'chat' | 'platform' | 'webhook', string>,
): Record<string, string> {
  if (group === 'files' || group === 'chat') return { [VARIABLES.apiBaseUrl]: platform };
  if (group !== 'admin' && group !== 'botChat') return {};
  return {
    [VARIABLES.chatBaseUrl]: chat,
    [VARIABLES.webhookBaseUrl]: webhook,
    // Files of assignees have URLs of the content.
    ...(group === 'botChat' ? { [VARIABLES.apiBaseUrl]: platform } : {}),
  };
}
