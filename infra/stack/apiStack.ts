/** An API and its non-operation functions. Derived function names avoid references to the operations' stacks. */
import { Aws, NestedStack, Stack } from 'aws-cdk-lib';
import {
  AccessLogFormat,
  ApiDefinition,
  EndpointType,
  IpAddressType,
  LogGroupLogDestination,
  RestApiMode,
  SpecRestApi,
} from 'aws-cdk-lib/aws-apigateway';
import { PolicyDocument, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { CfnWebACLAssociation } from 'aws-cdk-lib/aws-wafv2';
import type { Construct } from 'constructs';
import { ACCESS_LOG_FORMAT } from '#infra/gateway/accessLog.ts';
import { API_ROOT, type Api } from '#infra/gateway/apis.ts';
import { extraFunctions, type FunctionName, gatewayDocument } from '#infra/gateway/gatewayDocument.ts';
import { gatewayResponsesExtension } from '#infra/gateway/gatewayResponses.ts';
import { settingsOf } from '#infra/settings/settingsOf.ts';
import { addDomain, domainOf } from './domains.ts';
import { deployedName, LambdaFunction } from './lambdaFunction.ts';
import { originVariables } from './operatorLimits.ts';
import type { Resources } from './resources.ts';
import { LIVE } from './rollout.ts';
import { throttlingOf } from './throttling.ts';
import { timeoutOf } from './timeouts.ts';

const INVOCATION = { version: '2015-03-31', action: 'invocations' };
const STREAM_INVOCATION = { version: '2021-11-15', action: 'response-streaming-invocations' };

interface ApiStackProps {
  api: Api;
  resources: Resources;
  firewallArn: string | undefined;
}

export class ApiStack extends NestedStack {
  readonly name: Api['name'];
  readonly rest: SpecRestApi;
  readonly restApiId: string;
  readonly baseUrl: string;

  constructor(scope: Construct, id: string, { api, resources, firewallArn }: ApiStackProps) {
    super(scope, id, { description: `Parley: the ${api.name} API` });
    const extras = extraFunctions(api);
    for (const name of extras) {
      // `ParleyStack` creates it after the console, whose URL it lists. The console depends on this stack.
      if (name === API_ROOT) continue;
      new LambdaFunction(this, name, {
        access: { table: 'none' },
        resources,
        timeout: timeoutOf(false),
        deployedAs: `${api.name}-${name}`,
        variables: originVariables(this),
      });
    }
    const arnOf = (name: string) =>
      `arn:${Aws.PARTITION}:lambda:${Aws.REGION}:${Aws.ACCOUNT_ID}:function:${deployedName(Stack.of(scope), name)}`;
    const alias = settingsOf(this).rollout === 'gradual' ? `:${LIVE}` : '';
    const arnOfFunction = (name: FunctionName) =>
      extras.includes(name) ? arnOf(`${api.name}-${name}`) : arnOf(name) + alias;

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
    const accessLog = resources.logs.accessLogOf(api.name);
    this.name = api.name;
    // Unique in the account, because CloudWatch metrics have no other dimension. An import sets the name to the
    // document's title.
    const restApiName = `${Stack.of(scope).stackName}-${api.name}`;
    const binaryMediaTypes = ['*/*'];
    const rest = new SpecRestApi(this, 'Api', {
      restApiName,
      apiDefinition: ApiDefinition.fromInline({
        ...document,
        info: { ...document.info, title: restApiName },
        'x-amazon-apigateway-binary-media-types': binaryMediaTypes,
        'x-amazon-apigateway-gateway-responses': gatewayResponsesExtension(settingsOf(this).allowedOrigins),
      }),
      // Removes routes and settings that the document no longer contains.
      mode: RestApiMode.OVERWRITE,
      endpointConfiguration: { types: [EndpointType.REGIONAL], ipAddressType: IpAddressType.DUAL_STACK },
      parameters: { endpointConfigurationTypes: EndpointType.REGIONAL },
      binaryMediaTypes,
      deployOptions: {
        stageName: api.name,
        accessLogDestination: new LogGroupLogDestination(accessLog),
        accessLogFormat: AccessLogFormat.custom(ACCESS_LOG_FORMAT),
        ...throttlingOf(this, api.name),
        tracingEnabled: settingsOf(this).tracing === 'on',
      },
      // The role is account-wide: see `gatewayAccount.ts`.
      cloudWatchRole: false,
    });
    this.rest = rest;
    if (firewallArn) {
      new CfnWebACLAssociation(this, 'Firewall', {
        resourceArn: rest.deploymentStage.stageArn,
        webAclArn: firewallArn,
      });
    }
    this.restApiId = rest.restApiId;
    const domain = domainOf(this, api.name);
    if (domain) addDomain(this, domain, rest, rest.deploymentStage);
    this.baseUrl = domain
      ? `https://${domain}`
      : `https://${rest.restApiId}.execute-api.${Aws.REGION}.${Aws.URL_SUFFIX}/${api.name}`;
  }
}

function invocationUri(functionArn: string, isStream: boolean): string {
  const { version, action } = isStream ? STREAM_INVOCATION : INVOCATION;
  return `arn:${Aws.PARTITION}:apigateway:${Aws.REGION}:lambda:path/${version}/functions/${functionArn}/${action}`;
}
