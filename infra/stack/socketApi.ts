/** The WebSocket API. Its stage (`socketStage.ts`) publishes the routes once their functions exist. */
import { Aws, NestedStack, Stack } from 'aws-cdk-lib';
import {
  CfnApi,
  CfnIntegration,
  CfnIntegrationResponse,
  CfnRoute,
  CfnRouteResponse,
} from 'aws-cdk-lib/aws-apigatewayv2';
import { PolicyDocument, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { Construct } from 'constructs';
import * as routes from '#functions/socket/index.ts';
import { settingsOf } from '#infra/settings/settingsOf.ts';
import { functionNameOf } from '#shared/api/operation.ts';
import { KEEP_ALIVE_REPLY, KEEP_ALIVE_ROUTE } from '#shared/api/socket/keepAlive.ts';
import { LIVE } from './addRollout.ts';
import { invocationUri } from './apiStack.ts';
import { deployedName } from './lambdaFunction.ts';
import { SOCKET_STAGE, type SocketAddress } from './socketAddress.ts';
import { timeoutOf } from './timeouts.ts';

/** Key of the templates of a route without a function. */
const TEMPLATE = '200';

export class SocketApi extends NestedStack implements SocketAddress {
  readonly apiId: string;
  readonly domainName: string;
  readonly endpoint: string;
  /** Description of all routes. A changed one is published by a new deployment. */
  readonly published: unknown;

  constructor(scope: Construct, id: string) {
    super(scope, id, { description: 'Parley: routes of the WebSocket API' });
    const root = Stack.of(scope);
    const arnOf = (name: string) =>
      `arn:${Aws.PARTITION}:lambda:${Aws.REGION}:${Aws.ACCOUNT_ID}:function:${deployedName(root, name)}`;
    const isGradual = settingsOf(this).rollout === 'gradual';
    const alias = isGradual ? `:${LIVE}` : '';
    const gatewayRole = new Role(this, 'GatewayRole', {
      assumedBy: new ServicePrincipal('apigateway.amazonaws.com'),
      inlinePolicies: {
        invoke: new PolicyDocument({
          statements: [new PolicyStatement({ actions: ['lambda:InvokeFunction'], resources: [arnOf('socket-*')] })],
        }),
      },
    });
    const api = new CfnApi(this, 'Api', {
      name: `${root.stackName}-socket`,
      protocolType: 'WEBSOCKET',
      routeSelectionExpression: '$request.body.action',
      ipAddressType: 'dualstack',
    });
    const apiId = api.ref;
    for (const { name, group, route } of Object.values(routes)) {
      const integration = new CfnIntegration(this, `${name}-integration`, {
        apiId,
        integrationType: 'AWS_PROXY',
        integrationMethod: 'POST',
        integrationUri: invocationUri(arnOf(functionNameOf({ group, name })) + alias),
        credentialsArn: gatewayRole.roleArn,
        timeoutInMillis: timeoutOf(false).toMilliseconds(),
      });
      this.#route(apiId, route, integration);
    }
    this.#answerKeepAlive(apiId);
    this.apiId = apiId;
    this.domainName = `${apiId}.execute-api.${Aws.REGION}.${Aws.URL_SUFFIX}`;
    this.endpoint = `https://${this.domainName}/${SOCKET_STAGE}`;
    const names = Object.values(routes).map(({ name, route }) => [name, route]);
    this.published = [names, alias, KEEP_ALIVE_ROUTE, KEEP_ALIVE_REPLY];
  }

  #route(apiId: string, routeKey: string, { ref }: CfnIntegration, more: { hasResponse?: boolean } = {}): CfnRoute {
    return new CfnRoute(this, `${routeKey.replace('$', '')}-route`, {
      apiId,
      routeKey,
      authorizationType: 'NONE',
      target: `integrations/${ref}`,
      ...(more.hasResponse ? { routeResponseSelectionExpression: '$default' } : {}),
    });
  }

  /** Returns the reply without a function. */
  #answerKeepAlive(apiId: string): void {
    const integration = new CfnIntegration(this, 'keepAlive-integration', {
      apiId,
      integrationType: 'MOCK',
      templateSelectionExpression: TEMPLATE,
      requestTemplates: { [TEMPLATE]: JSON.stringify({ statusCode: 200 }) },
    });
    new CfnIntegrationResponse(this, 'keepAlive-integrationResponse', {
      apiId,
      integrationId: integration.ref,
      integrationResponseKey: '$default',
      templateSelectionExpression: TEMPLATE,
      responseTemplates: { [TEMPLATE]: KEEP_ALIVE_REPLY },
    });
    const route = this.#route(apiId, KEEP_ALIVE_ROUTE, integration, { hasResponse: true });
    new CfnRouteResponse(this, 'keepAlive-response', { apiId, routeId: route.ref, routeResponseKey: '$default' });
  }
}
