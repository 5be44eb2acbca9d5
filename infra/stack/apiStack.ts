/**
 * One API: its gateway, and the functions behind it that are not operations. Function names derive from the root stack's
 * name, so this stack references none of the stacks with the operations' functions.
 */
import { Aws, NestedStack, RemovalPolicy, Stack } from 'aws-cdk-lib';
import {
  AccessLogFormat,
  ApiDefinition,
  EndpointType,
  LogGroupLogDestination,
  ResponseType,
  SpecRestApi,
} from 'aws-cdk-lib/aws-apigateway';
import { PolicyDocument, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { LogGroup, RetentionDays } from 'aws-cdk-lib/aws-logs';
import { CfnWebACLAssociation } from 'aws-cdk-lib/aws-wafv2';
import type { Construct } from 'constructs';
import { ACCESS_LOG_FORMAT } from '#infra/gateway/accessLog.ts';
import type { Api } from '#infra/gateway/apis.ts';
import { extraFunctions, type FunctionName, gatewayDocument } from '#infra/gateway/gatewayDocument.ts';
import { GATEWAY_RESPONSES, type GatewayResponse, gatewayResponseBody } from '#infra/gateway/gatewayResponses.ts';
import { EXPOSED_HEADERS } from '#shared/api/steps/allowOrigin.ts';
import { deployedName, LambdaFunction } from './lambdaFunction.ts';
import type { Resources } from './resources.ts';
import { throttlingFromContext } from './throttling.ts';
import { timeoutOf } from './timeouts.ts';

/** Lambda's APIs for an ordinary and for a streaming integration. */
const INVOCATION = { version: '2015-03-31', action: 'invocations' };
const STREAM_INVOCATION = { version: '2021-11-15', action: 'response-streaming-invocations' };

interface ApiStackProps {
  api: Api;
  resources: Resources;
  /** The web ACL in front of the API. */
  firewallArn: string | undefined;
}

export class ApiStack extends NestedStack {
  readonly restApiId: string;
  /** Without a trailing slash. */
  readonly baseUrl: string;

  constructor(scope: Construct, id: string, { api, resources, firewallArn }: ApiStackProps) {
    super(scope, id, { description: `Parley: the ${api.name} API` });
    const extras = extraFunctions(api);
    for (const name of extras) {
      new LambdaFunction(this, name, {
        access: { table: 'none' },
        resources,
        timeout: timeoutOf(false),
        deployedAs: `${api.name}-${name}`,
      });
    }
    const arnOf = (name: string) =>
      `arn:${Aws.PARTITION}:lambda:${Aws.REGION}:${Aws.ACCOUNT_ID}:function:${deployedName(Stack.of(scope), name)}`;
    const arnOfFunction = (name: FunctionName) => arnOf(extras.includes(name) ? `${api.name}-${name}` : name);

    // One role that the gateway assumes, instead of a permission per function and route.
    const patterns = new Set([...api.operations.map(({ group }) => `${group}-*`), `${api.name}-*`]);
    const gatewayRole = new Role(this, 'GatewayRole', {
      assumedBy: new ServicePrincipal('apigateway.amazonaws.com'),
      inlinePolicies: {
        invoke: new PolicyDocument({
          statements: [
            new PolicyStatement({ actions: ['lambda:InvokeFunction'], resources: [...patterns].map(arnOf) }),
          ],
        }),
      },
    });

    const document = gatewayDocument(api, (name, isStream) => ({
      type: 'aws_proxy',
      httpMethod: 'POST',
      uri: invocationUri(arnOfFunction(name), isStream),
      credentials: gatewayRole.roleArn,
      passthroughBehavior: 'when_no_match',
      timeoutInMillis: timeoutOf(isStream).toMilliseconds(),
      ...(isStream ? { responseTransferMode: 'STREAM' } : {}),
    }));
    const accessLog = new LogGroup(this, 'AccessLog', {
      retention: RetentionDays.ONE_MONTH,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    const rest = new SpecRestApi(this, 'Api', {
      restApiName: `parley-${api.name}`,
      apiDefinition: ApiDefinition.fromInline(document),
      endpointTypes: [EndpointType.REGIONAL],
      // Passes bytes through untouched: a gzipped body is not text.
      binaryMediaTypes: ['*/*'],
      deployOptions: {
        stageName: api.name,
        accessLogDestination: new LogGroupLogDestination(accessLog),
        accessLogFormat: AccessLogFormat.custom(ACCESS_LOG_FORMAT),
        ...throttlingFromContext(this, api.name),
      },
      // The role is account-wide: see `gatewayAccount.ts`.
      cloudWatchRole: false,
    });
    addGatewayResponses(rest);
    if (firewallArn) {
      new CfnWebACLAssociation(this, 'Firewall', {
        resourceArn: rest.deploymentStage.stageArn,
        webAclArn: firewallArn,
      });
    }
    this.restApiId = rest.restApiId;
    this.baseUrl = `https://${rest.restApiId}.execute-api.${Aws.REGION}.${Aws.URL_SUFFIX}/${api.name}`;
  }
}

function invocationUri(functionArn: string, isStream: boolean): string {
  const { version, action } = isStream ? STREAM_INVOCATION : INVOCATION;
  return `arn:${Aws.PARTITION}:apigateway:${Aws.REGION}:lambda:path/${version}/functions/${functionArn}/${action}`;
}

/** Gives the gateway's refusals the wire shape. A deployment is a snapshot, so it must follow them. */
function addGatewayResponses(api: SpecRestApi): void {
  const deployment = api.latestDeployment!;
  for (const response of Object.values<GatewayResponse>(GATEWAY_RESPONSES)) {
    const body = gatewayResponseBody(response, '$context.requestId');
    const added = api.addGatewayResponse(response.type, {
      type: ResponseType.of(response.type),
      statusCode: String(response.status),
      responseHeaders: {
        'Access-Control-Allow-Origin': 'method.request.header.Origin',
        'Access-Control-Allow-Credentials': "'true'",
        'Access-Control-Expose-Headers': `'${EXPOSED_HEADERS}'`,
        Vary: "'Origin'",
        ...(response.retryAfterSeconds ? { 'Retry-After': `'${response.retryAfterSeconds}'` } : {}),
      },
      templates: { 'application/json': body },
    });
    deployment.node.addDependency(added);
    deployment.addToLogicalId({ ...response, headers: EXPOSED_HEADERS, body });
  }
}
